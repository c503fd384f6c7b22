#!/usr/bin/env python3
"""The backend of the Shop example: a small HTTP server on 127.0.0.1 with made-up data.

    backend.py --port-file FILE

It chooses a free port, writes it to FILE in one step, so that whoever waits for the file never
reads half a number, and serves until SIGTERM. All data follows from rules: two runs answer alike,
byte for byte.

    GET  /api/users                          2,500 users in one array
    GET  /api/user/<id>                      one of them, ids from 1
    GET  /api/products?limit=100&offset=0    1,200 products, one page; [] past the end
    GET  /api/product/<n>                    one of them, numbers from 1
    GET  /api/library                        one asset library, 60 assets of three kinds
    POST /admin/change                       changes users and products, once; says how many
    GET  /broken/404, 500                    a status code with a JSON body
    GET  /broken/html                        200 with HTML
    GET  /broken/truncated                   half of the body that Content-Length announces
    GET  /broken/truncated-json              a complete answer whose JSON stops in the middle
    GET  /broken/wrong-type                  the users, with a text as the age at index 1731
"""

import argparse
import json
import os
import signal
import threading
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

FIRST_NAMES = [
    "Ada", "Björn", "Chloé", "Dmitri", "Emeka", "Fatima", "Grace", "Hana", "Iñigo", "Jürgen",
    "Kaito", "Leila", "Milan", "Noor", "Olga", "Priya", "Quentin", "Rosa", "Søren", "Tomáš",
    "Uma", "Viktor", "Wanjiru",
]
LAST_NAMES = [
    "Abe", "Brandt", "Castro", "Dvořák", "Eriksen", "Fischer", "García", "Haddad", "Ivanova",
    "Jensen", "Kimura", "Lindqvist", "Müller", "Nakamura", "O'Brien", "Petit", "Quispe", "Rossi",
    "Şahin", "Tanaka", "Usman", "Virtanen", "Weber", "Xu", "Yılmaz", "Zhang", "Ahmed", "Baker",
    "Costa",
]
CITIES = ["Berlin", "Lagos", "Lima", "Oslo", "Pune", "Québec", "São Paulo", "Sapporo", "Zagreb"]
MATERIALS = ["Oak", "Steel", "Linen", "Clay", "Glass", "Cork", "Wool", "Brass"]
THINGS = ["Lamp", "Chair", "Vase", "Bowl", "Shelf", "Clock", "Basket", "Mirror", "Stool", "Tray",
          "Frame"]
TAGS = ["new", "sale", "garden", "kitchen", "office", "gift", "outdoor"]

USERS, PRODUCTS = 2_500, 1_200
WRONG_TYPE_AT = 1_731


def user(number):
    first = FIRST_NAMES[number % len(FIRST_NAMES)]
    last = LAST_NAMES[number * 7 % len(LAST_NAMES)]
    created = datetime(2020, 1, 1) + timedelta(seconds=number * 52_361)
    record = {
        "id": number,
        "name": f"{first} {last}",
        "email": f"user{number}@shop.example",
        "age": 18 + number * 13 % 70,
        "score": number * 37 % 10_000 / 100,
        "is_active": number % 4 != 0,
    }
    if number % 6 != 0:
        record["city"] = CITIES[number * 5 % len(CITIES)]
    record["created_on"] = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    return record


def product(number):
    material = MATERIALS[number % len(MATERIALS)]
    thing = THINGS[number * 3 % len(THINGS)]
    return {
        "sku": f"SKU-{number:05}",
        "title": f"{material} {thing} No. {number}",
        "price": (499 + number * 7_919 % 50_000) / 100,
        "weight": 50 + number * 31 % 9_000,
        "tags": [TAGS[(number + step) % len(TAGS)] for step in range(number % 4)],
    }


def edited_user(old):
    new = dict(old, email=f"user{old['id']}@new.example", score=old["score"] + 0.5,
               is_active=not old["is_active"])
    # A city that goes or comes: absence is a change too.
    if "city" in old:
        del new["city"]
    else:
        new["city"] = "Nairobi"
    return new


def edited_product(old):
    return dict(old, price=round(old["price"] + 1.25, 2), tags=old["tags"] + ["changed"])


def changed(records, make, edit, added, edited, removed):
    """The list after the change: from the second record on every fiftieth is edited, from the
    eleventh on every fiftieth is removed, and new ones stand at the end."""
    edits = {1 + 50 * step for step in range(edited)}
    removals = {10 + 50 * step for step in range(removed)}
    kept = [edit(record) if index in edits else record
            for index, record in enumerate(records) if index not in removals]
    return kept + [make(len(records) + step) for step in range(1, added + 1)]


def asset(group, number):
    name = f"{group}/{number:02}"
    kind = number % 3
    if kind == 0:
        return {"$type": "ColorAsset", "name": f"{name} colour", "red": number * 11 % 256,
                "green": number * 47 % 256, "blue": number * 101 % 256,
                "alpha": (number % 4 + 1) / 4, "type": "color"}
    if kind == 1:
        return {"$type": "SoundAsset", "name": f"{name} sound", "path": f"sounds/{name}.ogg",
                "type": "sound"}
    return {"$type": "ImageAsset", "name": f"{name} image", "path": f"images/{name}.png",
            "width": 64 * (number % 5 + 1), "height": 48 * (number % 7 + 1), "type": "image"}


LIBRARY = {
    "name": "Shop assets",
    "groups": [
        {"name": group, "assets": [asset(group, number) for number in range(size)]}
        for group, size in [("interface", 24), ("catalogue", 21), ("season", 15)]
    ],
}


def encoded(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8")


class Shop:
    """What the backend holds. A change replaces the lists, it never edits them, so that a reader
    sees the state before it or after it."""

    def __init__(self):
        self.users = [user(number) for number in range(1, USERS + 1)]
        self.products = [product(number) for number in range(1, PRODUCTS + 1)]
        self.original_users = self.users
        self.lock = threading.Lock()
        self.is_changed = False

    def change(self):
        with self.lock:
            first, self.is_changed = not self.is_changed, True
            if not first:
                none = {"added": 0, "edited": 0, "removed": 0}
                return {"users": none, "products": none}
            counts = {"users": {"added": 25, "edited": 40, "removed": 15},
                      "products": {"added": 10, "edited": 20, "removed": 5}}
            self.users = changed(self.users, user, edited_user, **counts["users"])
            self.products = changed(self.products, product, edited_product, **counts["products"])
            return counts

    def wrong_type(self):
        users = list(self.original_users)
        users[WRONG_TYPE_AT] = dict(users[WRONG_TYPE_AT], age="x")
        return users


class Failure(Exception):
    """An answer other than 200."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def find(records, key, value):
    for record in records:
        if record[key] == value:
            return record
    raise Failure(404, f"no {key} {value}")


def number(text):
    # Python's own int() takes signs, blanks, underscores and the digits of every script.
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Failure(400, f"not a whole number: {text[:40]!r}")
    return int(text)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30  # seconds that an idle connection is kept

    def do_GET(self):
        self.handle_request("GET")

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.handle_request("POST")

    def handle_request(self, method):
        url = urlsplit(self.path)
        parts = url.path.strip("/").split("/")
        try:
            if parts[0] == "broken" and len(parts) == 2 and method == "GET":
                self.broken(parts[1])
            else:
                self.reply(200, encoded(self.answer(method, parts, parse_qs(url.query))))
        except Failure as failure:
            self.reply(failure.status, encoded({"error": str(failure)}))

    def answer(self, method, parts, query):
        shop = self.server.shop
        if method == "POST" and parts == ["admin", "change"]:
            return shop.change()
        if method == "GET" and parts[0] == "api":
            name, arguments = parts[1:2], parts[2:]
            if name == ["users"] and not arguments:
                return shop.users
            if name == ["user"] and len(arguments) == 1:
                return find(shop.users, "id", number(arguments[0]))
            if name == ["products"] and not arguments:
                limit = number(query.get("limit", ["100"])[0])
                offset = number(query.get("offset", ["0"])[0])
                return shop.products[offset:offset + limit]
            if name == ["product"] and len(arguments) == 1:
                return find(shop.products, "sku", f"SKU-{number(arguments[0]):05}")
            if name == ["library"] and not arguments:
                return LIBRARY
        raise Failure(404, "no such path")

    def broken(self, kind):
        shop = self.server.shop
        if kind == "404":
            raise Failure(404, "not found, on purpose")
        if kind == "500":
            raise Failure(500, "broken, on purpose")
        if kind == "html":
            page = "<!DOCTYPE html>\n<html><body><h1>Please sign in</h1></body></html>\n"
            self.reply(200, page.encode(), content_type="text/html; charset=utf-8")
        elif kind == "truncated":
            body = encoded(shop.original_users)
            self.reply(200, body[:len(body) // 2], length=len(body))
            self.close_connection = True
        elif kind == "truncated-json":
            body = encoded(shop.original_users)
            self.reply(200, body[:len(body) // 2])
        elif kind == "wrong-type":
            self.reply(200, encoded(shop.wrong_type()))
        else:
            raise Failure(404, "no such path")

    def reply(self, status, body, content_type="application/json", length=None):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.shop = Shop()

    def handle_error(self, request, client_address):
        pass  # a client that went away; the example asks for broken answers on purpose


def main():
    parser = argparse.ArgumentParser(description="The backend of the Shop example.")
    parser.add_argument("--port-file", required=True, metavar="FILE",
                        help="where the chosen port is written")
    path = parser.parse_args().port_file

    server = Server()

    def stop(*_):
        # From another thread: shutdown() waits for the loop that this signal has interrupted.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)

    partial = f"{path}.{os.getpid()}"
    with open(partial, "w", encoding="ascii") as file:
        file.write(f"{server.server_port}\n")
    os.replace(partial, path)

    server.serve_forever()
    server.server_close()


if __name__ == "__main__":
    main()
