# aolag fit: the published surface, what a probe writes, files that cannot be read.
. "$srcdir/tests/cli/lib.sh"

# By its name alone: the report repeats how the file was named, and its lines are measured.
cp "$TESTDATA/apexmap_sample.csv" .
sample=apexmap_sample.csv

good "the reference" fit "$sample"
has "90 points: 10 alpha from 0.001 to 1, 9 L from 1 to 65536 words of 8 B (assumed);" "its points"
has "M is 512 MiB (assumed; --memory states another)" "its size is assumed"
is "$(sed -n 's/^flat  *//p' "$out" | head -1 | tr -s ' ')" \
    "- - - 1.6555 - 56.5925 668.0 2.210" "flat"
is "$(grep -c 'c = 1024 words is at the edge of the scan' "$out")" 2 "what is doubtful is said"
has "Map of hierarchy-2:" "the map is of the best"
is "$(grep -cE '^ +1 +-- +\. +\+\+\+ +\+\+\+\+ ' "$out")" 1 "with sign and size"
is "$(awk 'length > 100' "$out")" "" "no line is too long"
is "$(grep -nE ' +$' "$out")" "" "no blank ends a line"
is "$(LC_ALL=C "$AOLAG" fit "$sample" | LC_ALL=C grep -c '[^ -~]')" 0 "all of it is ASCII where the locale is"
cp "$out" first
"$AOLAG" fit - <"$sample" | tail -n +2 >piped
succeeds "standard input is read" sh -c "tail -n +2 first | cmp - piped"
is "$(head -c 17000000 /dev/zero | "$AOLAG" fit - 2>&1)" \
    "aolag: standard input is longer than 16 MiB" "too much of it is refused"
good "another model's map" fit "$sample" --model flat
has "Map of flat:" "is shown"

good "as Markdown" fit "$sample" --markdown
has "| flat | - | - | - | 1.6555 | - | 56.5925 | 668.0 | 2.210 |" "the models are a table"

# The same machine with eight cores that are three times slower each.
awk 'BEGIN { FS = OFS = "," } /^alpha/ { print $0, "cores"; next } { print $0, 1; $4 *= 3; print $0, 8 }' \
    "$sample" >team.csv
good "several files" fit "$sample" team.csv
has "apexmap_sample.csv      1  6.04e+08  1.424  hierarchy-2" "a row for one core"
has "team.csv                8  1.61e+09  1.424  hierarchy-2" "and one for all"
has "Nothing surpasses team.csv (8 cores): no other is faster and as predictable." "which is best"
good "as JSON" fit "$sample" team.csv --json
holds 'def near($a; $b): ($a / $b - 1 | fabs) < 1e-9;
    .common_points == 90 and [.machines[].cores] == [1, 1, 8] and
    near(.machines[2].accesses_per_s; .machines[0].accesses_per_s * 8 / 3) and
    near(.machines[1].accesses_per_s; .machines[0].accesses_per_s) and
    [.machines[].surpassed] == [true, true, false]' "rates and order"
is "$(jq '.machines[0].accesses_per_s' "$out" | cut -c1-6)" \
    "$(awk -F, '/^[0-9]/ { sum += log($4); n++ } END { printf "%.0f", 1e9 * exp(-sum / n) }' "$sample" | cut -c1-6)" \
    "the geometric mean"
good "another model's PC" fit "$sample" team.csv --model flat --json
holds '[.machines[].pc] | all(. > 2.2)' "is that of the table"
awk -F, 'NR == 1 || $2 != 4' "$sample" >fewer.csv
good "common points" fit "$sample" fewer.csv --json
holds '.common_points == 80 and ([.machines[].accesses_per_s] | .[0] == .[1])' "only are compared"
awk -F, 'NR == 1 || $1 == 1 && $2 < 64' "$sample" >few.csv
bad 1 "apexmap_sample.csv: 3 points whose alpha and L all machines have; 6 are needed" "too few" \
    fit "$sample" few.csv
good "all cores alone" fit team.csv --all-cores
is "$(sed -n 's/^flat  *//p' "$out" | head -1 | tr -s ' ')" "- - - 4.9666 - 56.5925 6012. 2.210" "flat"
bad 1 "apexmap_sample.csv: the file has no Apex-MAP points of several cores" "without any" \
    fit "$sample" --all-cores
bad 2 "--all-cores is for one file" "of several" fit "$sample" team.csv --all-cores
sed '3s/,8$/,4/' team.csv >mixed.csv
bad 2 "--word inf" "a word that is no number" fit "$sample" --word inf
bad 1 "allowed: one number besides 1" "two teams" fit "$sample" mixed.csv
bad 1 "cannot open none.csv" "no such file" fit "$sample" none.csv

good "JSON" fit "$sample" --json
holds '.schema == 1 and .points == 90 and .largest_size_bytes == 536870912 and
    .size_origin == "assumed" and .word_origin == "assumed"' "the surface"
holds '[.models[].model] == ["flat", "two-level", "latency-bandwidth", "hierarchy-2"]' "four models"
holds 'def near($a; $b): ($a / $b - 1 | fabs) < 5e-4;
    [.models[].sse_ln] as $sse | [.models[].pc] as $pc |
    near($sse[0]; 56.5925) and near($sse[1]; 46.9497) and near($sse[2]; 22.8646) and
    near($sse[3]; 11.2552) and near($pc[0]; 2.210) and near($pc[1]; 2.059) and
    near($pc[2]; 1.655) and near($pc[3]; 1.424)' "sums and PC of the reference"
holds 'def near($a; $b): ($a / $b - 1 | fabs) < 5e-4;
    (.models[0] | near(.g_ns; 1.6555)) and
    (.models[1] | near(.g1_ns; 1.100) and near(.g2_ns; 2.550) and near(.c_words; 1024)) and
    (.models[2] | near(.l_ns; 8.4645) and near(.g_ns; 1.1281) and has("c_words") == false) and
    (.models[3] | near(.l1_ns; 3.294) and near(.g1_ns; 0.852) and near(.l2_ns; 20.10) and
        near(.g2_ns; 1.489) and near(.c_words; 1024) and .c_bytes == 8 * .c_words)' \
    "values of the reference"
holds '[.models[] | [.flags[].flag] | index("c-at-edge") != null] == [false, true, false, true]' \
    "flags"
holds '.models | all(.residuals | (.by_l | length == 9) and (.by_alpha | length == 10) and
    (.map | length == 90) and ([.by_predicted[].points] | add) == 90)' "residuals of every model"
holds '.models | all((([.residuals.map[].mean_ln | . * .] | add) / .sse_ln - 1 | fabs) < 1e-9)' \
    "the map adds up to the sum"
is "$(jq -c '[.models[].flags[].words | select(test("[.]$"))]' "$out")" "[]" "words of flags"

# Half the words of twice the size are the same surface.
good "another size" fit "$sample" --json --memory 256MiB --word 4
holds '.size_origin == "option" and .word_bytes == 4 and (.models[3].pc - 1.424 | fabs) < 1e-3' \
    "stated by options"
{ echo "# size: 256 MiB" && echo "# word: 4 B" && cat "$sample"; } >stated.csv
good "or in the file" fit stated.csv --json
holds '.size_origin == "file" and .word_bytes == 4 and .largest_size_words == 67108864' \
    "stated by comments"

# The columns of a probe, with rows that are not of the surface.
awk -F, 'NR == 1 { print "part,name,size_bytes,cores,block_words,alpha,remark,samples_s" }
    NR > 1 { printf "apex,apex,536870912,1,%s,%s,,%se-9 %se-9\n", $2, $1, $4, $4 + 1
             printf "memory,chase,4096,1,,,,1e-9\napex,apex,536870912,2,%s,%s,,1e-9\n", $2, $1 }' \
    "$sample" >probe.csv
good "what a probe writes" fit probe.csv --json
holds '.points == 90 and .size_origin == "file" and (.models[3].sse_ln - 11.2552 | fabs) < 1e-3' \
    "is the same surface"
good "as text" fit probe.csv
has "words of 8 B; M is 512" "says nothing is assumed"

bad 2 "unexpected argument" "too many files" fit $(yes "$sample" | head -n 17)
{
    printf '\357\273\277'
    cat "$sample"
} >marked.csv
good "a byte-order mark" fit marked.csv
has "90 points: 10 alpha from 0.001 to 1" "is no part of the first column"
bad 2 "--memory 12 parsecs: " "a size without bytes" fit "$sample" --memory "12 parsecs"
bad 2 "--memory 0 is out of range; allowed: 1 B to 1000 TB, as in 512 MiB" "no size" fit "$sample" --memory 0
bad 2 "--memory 1e300 is out of range; allowed: 1 B to 1000 TB, as in 512 MiB" "no memory" fit "$sample" --memory 1e300
bad 2 "--word 1e30GiB is out of range; allowed: 1 B to 1000 TB, as in 512 MiB" "no word" fit "$sample" --word 1e30GiB
bad 2 "unknown model \"round\"; one of flat, two-level, " "no model" fit "$sample" --model round
bad 1 "$sample: 8192 B in words of 8 B are 1024; allowed: 2048 or more" "too small a size" \
    fit "$sample" --memory 8KiB
bad 1 "probe.csv:1: the size is already given by column size_bytes of the file" "a size twice" \
    fit probe.csv --memory 1GiB
sed '5s/.*/0.1,1,1024,-8.9,2.2/; 7s/.*/0.025,one,1024,7.4,0.9/' "$sample" >broken.csv
bad 1 'broken.csv:5: ns_per_access "-8.9" is not allowed; allowed: a time of 1e-6 to 1e9 ns' \
    "a bad time" fit broken.csv
is "$(cat "$err" | wc -l | tr -d ' ')" 2 "and all else that is wrong"
is "$(grep -c '^broken.csv:7: L "one" is not allowed; allowed: 1 to 1e15 words$' "$err")" 1 \
    "each with its line"
sed '3s/$/,1/' "$sample" >long.csv
bad 1 "long.csv:3: 6 fields, but the header has 5" "a field too many" fit long.csv
sed '1s/ns_per/us_per/' "$sample" >named.csv
bad 1 "named.csv:1: no column for the time of an access; expected ns_per_access or" \
    "an unknown column" fit named.csv
sed 3q "$sample" >two.csv
bad 1 "two.csv: 2 points; at least 6 are needed" "two points" fit two.csv
sed 11q "$sample" >line.csv
bad 1 "line.csv: all points have L = 1; a second L is needed" "one L" fit line.csv
: >empty.csv
bad 1 "empty.csv: there is no header line" "an empty file" fit empty.csv

finish
