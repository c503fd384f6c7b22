// The stub
