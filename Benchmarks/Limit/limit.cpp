// The limit that `Scripts/bench limit` measures against: the records of the benchmarks, read with
// simdjson's On-Demand API into plain C++ structs. No part of the package: the script compiles it
// where libsimdjson-dev is installed, and LimitBenchmarks.swift loads it.

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace simdjson;

namespace {

/// Sums what was read, so that both sides can be compared. LimitChecksum in Swift is the same.
struct Checksum {
    uint64_t sum = 14695981039346656037u;
    void add(uint64_t value) { sum = (sum ^ value) * 1099511628211u; }
    void add(int64_t value) { add(static_cast<uint64_t>(value)); }
    void add(bool value) { add(static_cast<uint64_t>(value)); }
    void add(double value) {
        uint64_t bits;
        static_assert(sizeof bits == sizeof value);
        __builtin_memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    void add(const std::string &text) {
        for (unsigned char byte : text) add(static_cast<uint64_t>(byte));
        add(static_cast<uint64_t>(text.size()));
    }
};

/// Reads the fields of one object, whatever their order; keeps the first error.
class Fields {
public:
    explicit Fields(ondemand::object &object) : object(object) {}

    void read(std::string_view name, int64_t &value) { keep(object[name].get_int64().get(value)); }
    void read(std::string_view name, double &value) { keep(object[name].get_double().get(value)); }
    void read(std::string_view name, bool &value) { keep(object[name].get_bool().get(value)); }
    void read(std::string_view name, std::string &value) {
        std::string_view text;
        keep(object[name].get_string().get(text));
        if (!error) value.assign(text);
    }

    error_code error = SUCCESS;

private:
    ondemand::object &object;
    void keep(error_code found) {
        if (found && !error) error = found;
    }
};

struct FlatRecord {
    int64_t id = 0;
    std::string name;
    std::string email;
    int64_t age = 0;
    double score = 0;
    bool isActive = false;
    std::string city;

    error_code read(ondemand::object &object) {
        Fields fields(object);
        fields.read("id", id);
        fields.read("name", name);
        fields.read("email", email);
        fields.read("age", age);
        fields.read("score", score);
        fields.read("isActive", isActive);
        fields.read("city", city);
        return fields.error;
    }

    void add(Checksum &checksum) const {
        checksum.add(id);
        checksum.add(name);
        checksum.add(email);
        checksum.add(age);
        checksum.add(score);
        checksum.add(isActive);
        checksum.add(city);
    }
};

struct Shape {
    std::string name;
    virtual ~Shape() = default;
    virtual void read(Fields &fields) = 0;
    virtual void add(Checksum &checksum) const = 0;
};

struct Circle final : Shape {
    double radius = 0;
    bool filled = false;
    void read(Fields &fields) override {
        fields.read("name", name);
        fields.read("radius", radius);
        fields.read("filled", filled);
    }
    void add(Checksum &checksum) const override {
        checksum.add(name);
        checksum.add(radius);
        checksum.add(filled);
    }
};

struct Rectangle final : Shape {
    int64_t width = 0;
    int64_t height = 0;
    void read(Fields &fields) override {
        fields.read("name", name);
        fields.read("width", width);
        fields.read("height", height);
    }
    void add(Checksum &checksum) const override {
        checksum.add(name);
        checksum.add(width);
        checksum.add(height);
    }
};

struct Label final : Shape {
    std::string text;
    int64_t size = 0;
    bool bold = false;
    void read(Fields &fields) override {
        fields.read("name", name);
        fields.read("text", text);
        fields.read("size", size);
        fields.read("bold", bold);
    }
    void add(Checksum &checksum) const override {
        checksum.add(name);
        checksum.add(text);
        checksum.add(size);
        checksum.add(bold);
    }
};

struct Marker final : Shape {
    int64_t x = 0;
    int64_t y = 0;
    void read(Fields &fields) override {
        fields.read("name", name);
        fields.read("x", x);
        fields.read("y", y);
    }
    void add(Checksum &checksum) const override {
        checksum.add(name);
        checksum.add(x);
        checksum.add(y);
    }
};

/// An object of the conformer that the type key names; null for a name that is not known.
std::unique_ptr<Shape> make(std::string_view type) {
    if (type == "Circle") return std::make_unique<Circle>();
    if (type == "Rectangle") return std::make_unique<Rectangle>();
    if (type == "Label") return std::make_unique<Label>();
    if (type == "Marker") return std::make_unique<Marker>();
    return nullptr;
}

error_code read(ondemand::object &object, std::vector<FlatRecord> &records) {
    return records.emplace_back().read(object);
}

error_code read(ondemand::object &object, std::vector<std::unique_ptr<Shape>> &shapes) {
    std::string_view type;
    SIMDJSON_TRY(object["$type"].get_string().get(type));
    auto shape = make(type);
    if (!shape) return INCORRECT_TYPE;
    Fields fields(object);
    shape->read(fields);
    shapes.push_back(std::move(shape));
    return fields.error;
}

/// Reads an array of objects with a parser that is used again for every document.
template <typename List>
error_code read(ondemand::parser &parser, padded_string_view text, List &list) {
    ondemand::document document;
    SIMDJSON_TRY(parser.iterate(text).get(document));
    ondemand::array array;
    SIMDJSON_TRY(document.get_array().get(array));
    for (auto element : array) {
        ondemand::object object;
        SIMDJSON_TRY(element.get_object().get(object));
        SIMDJSON_TRY(read(object, list));
    }
    return SUCCESS;
}

/// A document with the padding that simdjson asks for, and the parser that reads it.
struct Document {
    ondemand::parser parser;
    padded_string text;
};

template <typename List>
void *decode(void *document, const char **message) {
    auto &source = *static_cast<Document *>(document);
    auto list = std::make_unique<List>();
    if (auto error = read(source.parser, source.text, *list)) {
        *message = error_message(error);
        return nullptr;
    }
    return list.release();
}

using FlatRecords = std::vector<FlatRecord>;
using Shapes = std::vector<std::unique_ptr<Shape>>;

}  // namespace

extern "C" {

void *limit_document(const char *bytes, size_t count) {
    return new Document{ondemand::parser(), padded_string(bytes, count)};
}

void limit_free_document(void *document) { delete static_cast<Document *>(document); }

void *limit_decode_flat(void *document, const char **message) {
    return decode<FlatRecords>(document, message);
}

uint64_t limit_sum_flat(const void *list) {
    Checksum checksum;
    for (const auto &record : *static_cast<const FlatRecords *>(list)) record.add(checksum);
    return checksum.sum;
}

void limit_free_flat(void *list) { delete static_cast<FlatRecords *>(list); }

void *limit_decode_shapes(void *document, const char **message) {
    return decode<Shapes>(document, message);
}

uint64_t limit_sum_shapes(const void *list) {
    Checksum checksum;
    for (const auto &shape : *static_cast<const Shapes *>(list)) shape->add(checksum);
    return checksum.sum;
}

void limit_free_shapes(void *list) { delete static_cast<Shapes *>(list); }

/// The processor's kind that simdjson chose, for the table.
const char *limit_implementation() {
    static const std::string name = get_active_implementation()->name();
    return name.c_str();
}
}
