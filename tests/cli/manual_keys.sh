# The tables of keys in the pages of the commands are those of the JSON and CSV that they print.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
if [ ! -e "$build/man/aolag.1" ]; then
    skip "keys" "there is no build tree beside $AOLAG"
    # The unit in a key is the one beside it.
units='_us \(mcs _ns ns _hz Hz _bytes B _bytes_per_s B/s _percent % _nm nm _px px _w W _mj mJ
    _flops FLOP/s _flop FLOP _deg deg _words words _cycles cycles'
is "$(awk -F'\t' -v units="$(printf %s "$units" | sed 's/\\/&&/g' | tr -s ' \n' ' ')" '
    BEGIN { count = split(units, word, " ") }
    NF == 3 && $3 == "T{" {
        key = $1
        sub(/\.\*$|\[\]$/, "", key)
        for (i = 1; i < count; i += 2)
            if (key ~ word[i] "$" && word[i + 1] != $2) print FILENAME ": " $1 " in " $2
    }' "$build"/man/aolag-*.1)" "" "units agree with keys"

finish
