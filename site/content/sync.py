"""Keeps a copy of all carriers in SQLite: python3 sync.py SERVICE carriers.db"""
import gzip, hashlib, itertools, json, sqlite3, sys, urllib.request
from concurrent.futures import ThreadPoolExecutor


def get(url):
    with urllib.request.urlopen(url) as response:
        data = response.read()
    return gzip.decompress(data) if data[:1] == b"\x1f" else data


def apply(dot, op, values):
    (old,) = db.execute("SELECT row FROM carrier WHERE dot = ?", [dot]).fetchone() or ["[]"]
    db.execute("DELETE FROM carrier WHERE dot = ?", [dot])
    pairs = itertools.zip_longest(members, json.loads(old) if op == "MOD" else [], fillvalue="")
    # None: a phone number or an address changed. The change files don't have the new value.
    row = [before if values.get(name) is None else values[name] for name, before in pairs]
    row[0] = dot
    while row[-1] == "":
        row.pop()
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    if op != "DEL":
        db.execute("INSERT INTO carrier VALUES (?, ?)", [dot, text])


def load():
    print("Loads the whole snapshot")
    db.execute("DELETE FROM carrier")
    runs = json.loads(get(f"{root}/s/{to}/manifest.json"))["families"]["carriers"]["runs"]
    urls = [f"{root}/s/{to}/carriers/{n}.json.gz" for a, b in runs for n in range(a, b + 1)]
    with ThreadPoolExecutor(16) as pool:
        for few in (urls[i : i + 64] for i in range(0, len(urls), 64)):
            for row in (row for shard in pool.map(get, few) for row in json.loads(shard)):
                values = dict(zip(members, row))
                for name, text in (values.get("refused") or {}).items():
                    values[name] = {"refused": text}
                for name in "street phone mailing inspections refused changes".split():
                    values[name] = ""
                if isinstance(row[1], str):  # Else it left the census.
                    apply(row[0], "ADD", values)


def is_sound():
    rows = db.execute("SELECT row FROM carrier")
    digests = (hashlib.sha256(row.encode()).digest() for (row,) in rows)
    total = sum(int.from_bytes(digest[:8], "big") for digest in digests)
    return total % 2**64 == int(index["hash"], 16)


service, path = sys.argv[1:]
index = json.loads(get(f"{service}/api/v1/changes"))
root, members, files, to = (index[name] for name in ("root", "members", "files", "to"))
db = sqlite3.connect(path)
db.execute("CREATE TABLE IF NOT EXISTS carrier (dot INTEGER PRIMARY KEY, row TEXT)")
db.execute("CREATE TABLE IF NOT EXISTS state (snapshot TEXT)")
with db:  # One transaction: all of it, or nothing.
    ids = [file["from"] for file in files] + [to]
    (mine,) = db.execute("SELECT max(snapshot) FROM state").fetchone()
    for file in files[ids.index(mine) :] if mine in ids else []:
        for change in map(json.loads, get(f"{root}/{file['path']}").splitlines()):
            apply(change["dot"], change["op"], change.get("set", {}))
    if mine not in ids or not is_sound():
        load()
        if not is_sound():
            sys.exit("What was loaded is damaged: try again")
    db.execute("DELETE FROM state")
    db.execute("INSERT INTO state VALUES (?)", [to])
print(to, index["carriers"], index["hash"])
