# The completion for bash, as the shell would ask it.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
if [ ! -e "$build/completions/aolag" ]; then
    skip "completion" "there is no build tree beside $AOLAG"
    finish
fi
command -v bash >/dev/null || {
    skip "completion" "there is no bash"
    finish
}

# complete WORDS...: what is offered for the last of them, sorted, in one line. As readline does,
# words are split at "=" as well.
cat >ask.bash <<'BASH'
compopt() { :; }
complete() { :; }
source "$1"
shift
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_WORDS=("$AOLAG")
for word; do
    while [[ $word == ?*=* ]]; do
        COMP_WORDS+=("${word%%=*}" "=")
        word=${word#*=}
        [[ -n $word ]] || continue 2
    done
    COMP_WORDS+=("$word")
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_aolag
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
BASH
offers() {
    bash ask.bash "$build/completions/aolag" "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' '
}
offered() {
    wanted=$1 name=$2
    shift 2
    case " $(offers "$@")" in
    *" $wanted "*) pass "$name" ;;
    *) fail "$name" "not offered for: aolag $*: $wanted
$(offers "$@")" ;;
    esac
}

bench_scenario >mine.ini
mkdir folder

is "$(offers sc | tr ' ' '\n' | grep -v ex)" "screen" "a command"
for command in check eval explain fit help jitter params presets probe screen; do
    offered "$command" "$command is offered" ""
done
offered saxo "a system to explore" sa
offered mine.ini "a file to explore" mi
is "$(offers eval --)" "--csv --help --jitter --json --markdown --output --seed --set --strict " \
    "options of eval"
is "$(offers --v)" "--version " "options of the program"
for command in check eval explain fit jitter params presets probe screen; do
    is "$(offers "$command" --)" \
        "$("$AOLAG" "$command" --help | sed -nE 's/^  (-., )?(--[a-z]*).*/\2/p' | LC_ALL=C sort |
            tr '\n' ' ')" \
        "options of $command are those of its help"
done
is "$(offers help se)" "seek " "a command to describe"
is "$(offers eval mica)" "micado-scao " "a system"
is "$(offers eval ./mi)" "./mine.ini " "a file"
is "$(offers presets '')" "list show " "words of presets"
is "$(offers presets list '')" "ao cpu fpga gpu pipelines " "kinds of presets"
is "$(offers presets show nvidia-a100-80)" \
    "$("$AOLAG" presets list | sed -n 's/^\(nvidia-a100-80[^ ]*\).*/\1/p' | tr '\n' ' ')" "presets"
is "$(offers probe m)" "memory " "a part to measure"
is "$(offers probe --largest '')" "" "no scenario for a size"
is "$(offers explain component.recon.memory_t)" "component.recon.memory_time " "a result"
offered knl-sh80 "a measured pipeline" eval knl
offered micado-scao "a system to explain" explain latency mica
is "$(offers params device.gpu0.bus)" "device.gpu0.bus_bits " "a knob"
is "$(offers eval --set device.rtc.sock)" "device.rtc.sockets= " "a knob to set"
offered "wfs.lo.count=" "of the scenario on the line" eval morfeo --set wfs.lo.
offered "wfs.lo.count" "of --scenario" params --scenario morfeo wfs.lo.
offered "device.rtc.cores=" "of a file" eval ./mine.ini --set device.rtc.c
is "$(offers eval --set component.recon.algorithm=m)" "modal mvm " "a choice"
is "$(offers eval --set device.rtc.preset=amd-epyc-74)" "amd-epyc-7402 " "a device's preset"
is "$(offers screen --size 12)" "120x36 " "a size"
is "$(offers screen --keys mi)" "mine.ini " "a file of keys"
is "$(offers check mi)" "mine.ini " "a file to check"
is "$(offers fit mi)" "mine.ini " "a file to fit"
is "$(offers fit --model fl)" "flat " "a model"
is "$(offers jitter mi)" "mine.ini " "a file of latencies"
is "$(offers jitter x --preset amd-epyc-74)" "amd-epyc-7402 " "a preset to complete"
is "$(offers jitter x --unit n)" "ns " "a unit"
is "$(offers eval nosuch)" "" "nothing where nothing fits"

is "$(offers rank "")" "cpu fpga gpu " "kinds to rank"
is "$(offers rank gpu --by l)" "latency latency-tdp " "orders"
offered saxo "a system to rank on" rank cpu sa
offered device.rtc.cores "a knob to seek" seek device.rtc.co
offered saxo "a system to seek in" seek device.rtc.cores sa

is "$(offers sweep device.rtc.sock)" "device.rtc.sockets= " "a knob to vary"
is "$(offers sweep component.recon.algorithm=m)" "modal mvm " "a choice to vary"
offered saxo "a system to vary" sweep device.rtc.cores=1:8:8 sa
offered wfs.lo.count= "of the scenario before it" sweep morfeo wfs.lo.
offered wfs.lo.count= "also behind a knob" sweep morfeo ao.modes=1:2:3 wfs.lo.
is "$(offers plot sweep device.rtc.sock)" "device.rtc.sockets= " "a knob of a picture"
offered saxo "a system of a picture" plot sweep device.rtc.cores=1:8:8 sa

offered compare "a picture of two designs" plot ""
offered saxo "a design of a picture" plot compare elt-scao sa
offered kernels "a picture of a machine" plot machine k

finish
