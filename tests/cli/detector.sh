# aolag detector: the packets of a sensor, and files that a sensor reads.
. "$srcdir/tests/cli/lib.sh"

good "a sensor" detector elt-scao
has "Detector of ngs" "its name"
has "4632 of 80 x 80 subapertures" "valid ones"
has "Fraction" "the packets"
fits "they fit"
good "the second of several" detector morfeo --sensor lo
has "Detector of lo" "by its name"
bad 2 '--sensor: ' "one that does not exist" detector morfeo --sensor nosuch
bad 2 "--map and --csv exclude each other" "a map as CSV" detector --map --csv
bad 2 "--mask and --json exclude each other" "a mask as JSON" detector --mask --json
bad 1 "wfs.ngs.detector_width: 10 px is too small" "an invalid design" detector elt-scao --set wfs.ngs.detector_width=10

# latency SETTINGS...: of the design with them.
latency() {
    "$AOLAG" eval "$@" --json | jq '.latency_us * 1e6 | round'
}

for system in elt-scao soul; do
    wfs=$("$AOLAG" detector $system --json | jq -r .sensor)
    before=$(latency $system)
    good "an agenda of $system" detector $system --csv
    cp "$out" agenda.csv
    is "$(latency $system --set wfs.$wfs.agenda=agenda.csv)" "$before" "is read as the same"
    good "a map of $system" detector $system --map
    cp "$out" map.csv
    is "$(latency $system --set wfs.$wfs.readout_map=map.csv)" "$before" "is read as the same"
    is "$("$AOLAG" detector $system --map --set wfs.$wfs.readout_map=map.csv | cmp - map.csv)" "" "and written so"
    good "a mask of $system" detector $system --mask
    cp "$out" mask
    is "$(latency $system --set wfs.$wfs.mask=mask)" "$before" "is read as the same"
    is "$("$AOLAG" detector $system --mask --set wfs.$wfs.mask=mask | cmp - mask)" "" "and written so"
done

printf 'fraction\n0.75\n0.25\n' >two.csv
good "an agenda of two packets" detector elt-scao --json --set wfs.ngs.agenda=two.csv
holds '[.packets[].fraction] == [0.75, 0.25]' "its fractions"
holds '[.packets[].time_us] == [375, 500]' "its times"
holds '.valid == 4632 and ([.packets[].completed] | add) == 4632 and
    ([.packets[].pixels] | add) == .width_px * .height_px' "all of the sensor"

finish
