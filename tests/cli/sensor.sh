# aolag sensor: the packets of a sensor, and files that a sensor reads.
. "$srcdir/tests/cli/lib.sh"

good "a sensor" sensor elt-scao
has "Sensor ngs" "its name"
has "4632 of 80 x 80 subapertures" "valid ones"
has "Fraction" "the packets"
fits "they fit"
good "the second of several" sensor morfeo --sensor lo
has "Sensor lo" "by its name"
bad 2 '--sensor: ' "one that does not exist" sensor morfeo --sensor nosuch
bad 2 "--map and --csv exclude each other" "a map as CSV" sensor --map --csv
bad 2 "--mask and --json exclude each other" "a mask as JSON" sensor --mask --json
bad 1 "wfs.ngs.detector_width: 10 px is too small" "an invalid design" sensor elt-scao --set wfs.ngs.detector_width=10

# latency SETTINGS...: of the design with them.
latency() {
    "$AOLAG" eval "$@" --json | jq '.latency_us * 1e6 | round'
}

for system in elt-scao soul; do
    wfs=$("$AOLAG" sensor $system --json | jq -r .sensor)
    before=$(latency $system)
    good "an agenda of $system" sensor $system --csv
    cp "$out" agenda.csv
    is "$(latency $system --set wfs.$wfs.agenda=agenda.csv)" "$before" "is read as the same"
    good "a map of $system" sensor $system --map
    cp "$out" map.csv
    is "$(latency $system --set wfs.$wfs.readout_map=map.csv)" "$before" "is read as the same"
    is "$("$AOLAG" sensor $system --map --set wfs.$wfs.readout_map=map.csv | cmp - map.csv)" "" "and written so"
    good "a mask of $system" sensor $system --mask
    cp "$out" mask
    is "$(latency $system --set wfs.$wfs.mask=mask)" "$before" "is read as the same"
    is "$("$AOLAG" sensor $system --mask --set wfs.$wfs.mask=mask | cmp - mask)" "" "and written so"
    is "$("$AOLAG" eval $system --set wfs.$wfs.mask=mask | grep -c inverted)" 0 "and not inverted"
    tr 01 10 <mask >inverted
    good "an inverted mask of $system" eval $system --set wfs.$wfs.mask=inverted --json
    holds ".notes | any(startswith(\"wfs.$wfs.mask: its corners are valid\"))" "is a note"
done

# Pictures and what other programs write.
good "a mask" sensor elt-scao --mask
cp "$out" mask
{
    echo "P2 80 80 1"
    sed 's/./& /g' mask
} >mask.pgm
{
    printf '\357\273\277'
    sed 's/[01]/&.000000000000000000e+00 /g; s/ $/\r/' mask
} >mask.txt
for form in pgm txt; do
    good "as $form" sensor elt-scao --mask --set wfs.ngs.mask=mask.$form
    succeeds "is the same" cmp "$out" mask
done
printf '\211PNG\r\n\032\n' >mask.png
bad 2 "mask.png: this is a PNG picture; \"convert FILE mask.pgm\" makes a mask of it" "as PNG" \
    sensor elt-scao --set wfs.ngs.mask=mask.png
printf 'pixels\r\n3\r\n1\r\n' >pixels.csv
good "an agenda of pixels" sensor elt-scao --json --set wfs.ngs.agenda=pixels.csv
holds '[.packets[].fraction] == [0.75, 0.25]' "has their fractions"

printf 'fraction\n0.75\n0.25\n' >two.csv
good "an agenda of two packets" sensor elt-scao --json --set wfs.ngs.agenda=two.csv
holds '[.packets[].fraction] == [0.75, 0.25]' "its fractions"
holds '[.packets[].time_us] == [375, 500]' "its times"
holds '.valid == 4632 and ([.packets[].completed] | add) == 4632 and
    ([.packets[].pixels] | add) == .width_px * .height_px' "all of the sensor"

# Its former name goes on working, and help and manual have the present one.
is "$("$AOLAG" detector micado-scao)" "$("$AOLAG" sensor micado-scao)" "the former name"
is "$("$AOLAG" plot detector --text)" "$("$AOLAG" plot sensor --text)" "of a picture, too"
good "help" help detector
is "$(sed -n '/^Usage/p;/former/p;$p' "$out" | tr '\n' ';')" \
    "Usage: aolag sensor [DESIGN|-] [OPTION]...;Its former name, detector, stays.;Manual: man aolag-sensor.;" \
    "names the present one"
bad 2 "aolag sensor: unexpected argument" "a message" detector saxo saxo
is "$("$AOLAG" help | grep -c '^  detector')" 0 "the list has one name of it"
is "$("$AOLAG" help --complete -- det | cut -f 1 | head -n 1) $("$AOLAG" help --complete -- plot det | cut -f 1 | head -n 1)" "detector detector" \
    "who has begun the former name can complete it"

finish
