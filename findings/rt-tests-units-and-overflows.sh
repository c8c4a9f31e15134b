#!/bin/sh
# cyclictest and oslat of rt-tests 2.4 (Debian 2.4-1): what their output leaves out.
#
# Guessed: "cyclictest -h US" keeps latencies up to US microseconds, as its help says, with -N too, and
# its output tells whether it is in ns or us. Histograms as JSON say which wake-ups they do not hold.
# Seen:
# - With -N, US is in nanoseconds: "-N -h 100" holds nothing beyond 0.1 us, so all wake-ups overflow.
# - The histogram as text is the same with and without -N: no line names the unit. Only --json has it,
#   as "resolution_in_ns".
# - The largest key of oslat's histogram as JSON also counts all interruptions that were longer, without
#   a mark (as text the row says "including overflows"); cyclictest leaves such wake-ups out of its own.
# - Keys of both have a colon in them: "cmdline:", "rt_test_version:".
#
# Needs apt, python3 and the right to use real-time scheduling (root). Prints what it saw; status 1 if
# that has changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -o APT::Sandbox::User=root download rt-tests=2.4-1 libnuma1 >/dev/null
for package in *.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(dirname "$(find "$folder" -name 'libnuma.so.1' | head -1)")
export LD_LIBRARY_PATH
bin=$folder/usr/bin

"$bin/cyclictest" -q -l 200 -h 500000 >us.txt
"$bin/cyclictest" -q -l 200 -N -h 500000 --json=ns.json >ns.txt
"$bin/cyclictest" -q -l 200 -N -h 100 >short.txt
"$bin/oslat" -D 2 -b 8 --json=oslat.json >oslat.txt

echo "comments with -N:"
sed -n '/^#/p' ns.txt | cut -c1-60
echo "with -N -h 100:"
grep -E '^# (Total|Min Latencies|Histogram Overflows:)' short.txt

"${PYTHON:-python3}" - <<'PYTHON'
import json, re

def comments(name):
    # without their numbers, and without the numbers of cycles, which need not be there
    lines = [re.sub(r"\d+", "0", l) for l in open(name) if l.startswith("#") and "Thread" not in l]
    return [" ".join(l.split()) for l in lines]

assert comments("us.txt") == comments("ns.txt"), "the comments tell the unit"
assert not re.search(r"\bns\b|nano", open("ns.txt").read()), "the unit is named"
short = open("short.txt").read()
assert int(re.search(r"# Total: (\d+)", short)[1]) == 0, "-h is in us with -N"
assert int(re.search(r"# Histogram Overflows: (\d+)", short)[1]) == 200, "-h is in us with -N"
cyclictest = json.load(open("ns.json"))
assert cyclictest["resolution_in_ns"] == 1 and "cmdline:" in cyclictest
oslat = json.load(open("oslat.json"))
assert "cmdline:" in oslat
beyond = 0
for thread in oslat["thread"].values():
    last = max(int(key) for key in thread["histogram"])
    beyond += thread["max"] > last
    print("oslat: last key", last, "us, max", thread["max"], "us")
assert beyond > 0, "no interruption was longer than the last key; run again"
assert "including overflows" in open("oslat.txt").read()
PYTHON
echo "as described"
