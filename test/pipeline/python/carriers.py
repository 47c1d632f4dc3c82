"""Looks up and searches carriers in a snapshot folder. Python's standard library only; written from the two
FORMAT.md alone. Reads a request as JSON on each line of standard input, and writes its answer on a line:

    {"dot": 286764}                        the record, what is kept of a carrier that left, or null
    {"docket": ["MC", 186800]}             USDOT numbers
    {"name": "General Transport", "city": "Akron", "state": "OH"}    carriers with exactly this name
    {"words": "general akron"}             carriers that have all of the words in a name, as a city or a state
    {"text": "..."}, {"place": "..."}, {"term": "..."}, {"list": [kind, words, buckets]}    for test vectors
"""

import datetime
import functools
import gzip
import hashlib
import json
import sys
import unicodedata

MASK = 0xFFFFFFFF

# snapshot/FORMAT.md, section 4: position and member. The days among them are in DAYS.
MEMBERS = (
    "dot legal_name street city state zip phone status operation hazmat roles classes cargo power_units drivers "
    "driver_counts vehicles mileage mileage_year mcs150_date added prior_revoked business_form dba_name cargo_other "
    "mailing review_type review_date crash_rate duns country rating rating_date undeliverable mail_returned "
    "prior_revoked_dot dockets"
).split()
DAYS = {"mcs150_date", "added", "review_date", "rating_date", "mail_returned"}

# search/FORMAT.md, section 1.
LETTERS = str.maketrans({"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
APOSTROPHES = "'`\u00b4\u2018\u2019"
FILLERS = {"the", "and", "of"}
FORMS = set(
    "dba llc inc incorporated corp corporation co company ltd limited lp llp "
    "lllp pllc pc plc sa de cv rl ltda ltee".split()
)
PLACES = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}


def units(text):
    """The UTF-16 code units of a text."""
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]


def tokenize(text):
    text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text if unicodedata.category(c)[0] != "M").lower().translate(LETTERS)
    words = [""]
    for c in text:
        if c in APOSTROPHES:
            continue
        if ord(c) < 0x10000 and unicodedata.category(c)[0] in "LN":
            words[-1] += c
        else:
            words += ["and", ""] if c in "&+" else [""]
    joined = []
    was_single = False
    for word in filter(None, words):
        if len(word) == 1 and was_single:
            joined[-1] += word
        else:
            joined.append(word)
        was_single = len(word) == 1
    return [word[:200] for word in joined[:24]]


def own_words(words):
    distinct = list(dict.fromkeys(words))
    kept = [w for i, w in enumerate(words) if not (w in FILLERS or (w in FORMS and i > 0))]
    return list(dict.fromkeys(kept)) or distinct


def normal_place(text):
    return " ".join(PLACES.get(word, word) for word in tokenize(text))[:200]


def mix(x):
    x = (x ^ x >> 16) * 0x21F0AAAD & MASK
    x = (x ^ x >> 15) * 0x735A2D97 & MASK
    return x ^ x >> 15


def hash_term(term):
    a, b = 0x811C9DC5, 0x3C6EF372
    codes = units(term)
    for c in codes:
        a = (a ^ c) * 0x01000193 & MASK
        b = (b ^ c) * 0x85EBCA6B & MASK
        b ^= b >> 13
    return mix(a), mix(b ^ len(codes))


def list_key(kind, terms, buckets):
    hashes = [hash_term(term) for term in terms]
    a = sum(a for a, _ in hashes) & MASK
    b = sum(b for _, b in hashes) & MASK
    return mix(a + kind * 0x9E3779B9 & MASK) % buckets, mix(b + kind * 0x7F4A7C15 & MASK)


def u32(data, at):
    return int.from_bytes(data[at : at + 4], "little")


def planes(data, at, count):
    """Numbers of which all low bytes come first, then all second bytes, and so on."""
    a, b, c, d = (data[at + i * count : at + (i + 1) * count] for i in range(4))
    return [w | x << 8 | y << 16 | z << 24 for w, x, y, z in zip(a, b, c, d)]


def day(number):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=number)).isoformat()


class Snapshot:
    def __init__(self, root):
        with open(f"{root}/current.json", "rb") as file:
            pointer = json.load(file)
        if pointer["format"] not in (2, 3):
            raise SystemExit(f"Cannot read format {pointer['format']}")
        self.path = f"{root}/s/{pointer['snapshot']}"
        data = self.read("manifest.json")
        if hashlib.sha256(data).hexdigest() != pointer["manifest_sha256"]:
            raise SystemExit("The manifest is not the one that the pointer names")
        self.manifest = json.loads(data)
        self.files = functools.lru_cache(maxsize=256)(self.read)

    def read(self, path):
        with open(f"{self.path}/{path}", "rb") as file:
            data = file.read()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def shard(self, name, key):
        """The text of the shard that has a key, or None when there is no such shard."""
        family = self.manifest["families"][name]
        n = key // family["width"]
        if not any(first <= n <= last for first, last in family["runs"]):
            return None
        return self.files(f"{name}/{n}.json.gz").decode()

    def carrier(self, dot):
        for line in (self.shard("carriers", dot) or "").split("\n"):
            if line.startswith(f"[{dot},"):
                row = json.loads(line.rstrip(","))
                break
        else:
            return None
        if isinstance(row[1], dict):
            return {"dot": dot, "last_seen": day(row[1]["last_seen"])}
        record = {m: value for m, value in zip(MEMBERS, row) if value != "" or m == "legal_name"}
        return {m: day(value) if m in DAYS else value for m, value in record.items()}

    def docket(self, prefix, number):
        text = self.shard("dockets", number)
        return [] if text is None else json.loads(text).get(prefix, {}).get(str(number), [])

    @functools.cached_property
    def places(self):
        lines = self.files("search/places.gz").decode().split("\n")[:-1]
        return [line.split("\t") for line in lines]

    @functools.cached_property
    def terms(self):
        """Term to (count, its number among the common terms or None)."""
        data = self.files("search/terms.gz")
        count = u32(data, 0)
        shared, added = data[4 : 4 + count], data[4 + count : 4 + 2 * count]
        counts = planes(data, 4 + 2 * count, count)
        text = data[4 + 6 * count :].decode().encode("utf-16-le")
        terms, previous, at, common = {}, b"", 0, 0
        for keep, more, carriers in zip(shared, added, counts):
            previous = previous[: 2 * keep] + text[at : at + 2 * more]
            at += 2 * more
            is_common = carriers > self.manifest["search"]["rare"]
            terms[previous.decode("utf-16-le")] = carriers, common if is_common else None
            common += is_common
        return terms

    def may_exist(self, bucket, key):
        """Whether the filter of names has a name of kind 1."""
        data = self.files("search/names.bin")
        groups = u32(data, 0)
        sizes = [u32(data, 4 + 4 * i) for i in range(groups)]
        group = bucket % groups
        start = 4 + 4 * groups + sum(sizes[:group])
        bits = 8 * sizes[group]
        if bits == 0:
            return False
        step = mix(key ^ (bucket + 1) * 0x9E3779B9 & MASK) | 1
        at = [((key + i * step) & MASK) % bits for i in range(10)]
        return all(data[start + bit // 8] >> bit % 8 & 1 for bit in at)

    def entries(self, path, key):
        """The carriers of one list of a file, in the order of the list."""
        data = self.files(path)
        lists, total = u32(data, 0), u32(data, 4)
        keys, counts = planes(data, 8, lists), planes(data, 8 + 4 * lists, lists)
        if key not in keys:
            return []
        place = keys.index(key)
        first = sum(counts[:place])
        at = 8 + 8 * lists
        dots, sizes, towns = (planes(data, at + 4 * i * total, total) for i in range(3))
        names = data[at + 12 * total :].decode().split("\n")
        found = []
        for i in range(first, first + counts[place]):
            city, state = self.places[towns[i]]
            found.append({
                "dot": dots[i], "name": names[2 * i], "dba": names[2 * i + 1], "city": city, "state": state,
                "active": bool(sizes[i] & 1),
            })
        return found

    def named(self, name, city="", state=""):
        words = own_words(tokenize(name))
        bucket, key = list_key(1, words, self.manifest["search"]["buckets"])
        if not words or not self.may_exist(bucket, key):
            return []
        return [
            one["dot"] for one in self.entries(f"search/lists/{bucket}.gz", key)
            if (not city or normal_place(one["city"]) == normal_place(city))
            and (not state or one["state"].lower() == state.lower())
        ]

    def with_words(self, text):
        words = list(dict.fromkeys(tokenize(text)))
        if any(all(mark + word not in self.terms for mark in ("", "@", "#")) for word in words):
            return []
        term = min((word for word in words if word in self.terms), key=lambda word: self.terms[word][0])
        _, common = self.terms[term]
        if common is None:
            bucket, key = list_key(3, [term], self.manifest["search"]["buckets"])
            entries = self.entries(f"search/lists/{bucket}.gz", key)
        else:
            entries = self.entries(f"search/heads/{common}.gz", 0)
        def has(one, word):
            return word in tokenize(one["name"]) + tokenize(one["dba"]) or word in (
                normal_place(one["city"]), one["state"].lower())
        return [one["dot"] for one in entries if all(has(one, word) for word in words)]

    def answer(self, request):
        if "dot" in request:
            return self.carrier(request["dot"])
        if "docket" in request:
            return self.docket(*request["docket"])
        if "name" in request:
            return self.named(**request)
        if "words" in request:
            return self.with_words(request["words"])
        if "text" in request:
            words = tokenize(request["text"])
            return {"words": words, "own_words": own_words(words)}
        if "place" in request:
            return normal_place(request["place"])
        if "term" in request:
            return hash_term(request["term"])
        return list_key(*request["list"])


def main():
    snapshot = Snapshot(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(snapshot.answer(json.loads(line))))


if __name__ == "__main__":
    main()
