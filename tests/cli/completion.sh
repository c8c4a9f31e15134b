# The completion for bash, zsh and fish, as the shell would ask it.
. "$srcdir/tests/cli/lib.sh"

build=$(dirname "$AOLAG")
completions=$srcdir/completions
if [ ! -e "$completions/aolag" ]; then
    skip "completion" "there are no completions"
    finish
fi
plain_only "completion"
command -v bash >/dev/null || {
    skip "completion" "there is no bash"
    finish
}

# complete WORDS...: what is offered for the last of them, sorted, in one line. As readline does,
# words are split at "=" and ":" as well.
cat >ask.bash <<'BASH'
compopt() { echo "$*" >>options; }
complete() { :; }
source "$1"
shift
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
COMP_WORDS=("$AOLAG")
for word; do
    while [[ $word =~ ^([^=:]+)([=:])(.*) ]]; do
        COMP_WORDS+=("${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")
        word=${BASH_REMATCH[3]}
        [[ -n $word ]] || continue 2
    done
    COMP_WORDS+=("$word")
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_aolag
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
BASH
offers() {
    bash ask.bash "$completions/aolag" "$@" 2>&1 | LC_ALL=C sort | tr '\n' ' '
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
for command in check eval explain fit help import jitter params presets probe screen; do
    offered "$command" "$command is offered" ""
done
offered saxo "a system to explore" sa
offered mine.ini "a file to explore" mi
is "$(offers eval --)" "--csv --file --help --jitter --json --markdown --output --packets --seed --set --strict " \
    "options of eval"
is "$(offers --v)" "--version " "options of the program"
for command in check eval explain fit jitter params presets probe screen; do
    is "$(offers "$command" --)" \
        "$("$AOLAG" "$command" --help | sed -nE 's/^  (-., )?(--[a-z-]*).*/\2/p' | LC_ALL=C sort |
            tr '\n' ' ')" \
        "options of $command are those of its help"
done
is "$(offers help se)" "search seek sensor " "a command to describe"
is "$(offers eval mica)" "micado-scao " "a system"
is "$(offers eval ./mi)" "./mine.ini " "a file"
is "$(offers presets s)" "saxo saxo-plus scexao shm-tomo-5090 show soul soul-par soul-ser sst " "words of presets"
is "$(offers presets list '')" "ao cpu fpga gpu pipelines " "kinds of presets"
is "$(offers presets show nvidia-a100-80)" \
    "$("$AOLAG" presets list | sed -n 's/^\(nvidia-a100-80[^ ]*\).*/\1/p' | tr '\n' ' ')" "presets"
is "$(offers probe '')" "all apex bandwidth dispatch gpu memory operations " "parts to measure"
is "$(offers probe --largest '')" "" "no scenario for a size"
is "$(offers explain component.recon.memory_t)" "component.recon.memory_time " "a result"
offered knl-sh80 "a measured pipeline" eval knl
offered micado-scao "a system to explain" explain latency mica
is "$(offers params device.gpu0.bus)" "device.gpu0.bus_bits " "a knob"
is "$(offers eval --set device.rtc.sockets)" "device.rtc.sockets= " "a knob to set"
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

offered fpga "kinds to rank" rank ""
offered saxo "or a system" rank sa
is "$(offers rank saxo f)" "fpga " "a kind behind it"
is "$(offers rank gpu --by l)" "latency latency-tdp " "orders"
offered saxo "a system to rank on" rank cpu sa
offered device.rtc.cores "a knob to seek" seek device.rtc.co
offered saxo "a system to seek in" seek device.rtc.cores sa

is "$(offers sweep device.rtc.sockets)" "device.rtc.sockets= " "a knob to vary"
is "$(offers sweep component.recon.algorithm=m)" "modal mvm " "a choice to vary"
offered saxo "a system to vary" sweep device.rtc.cores=1:8:8 sa
offered wfs.lo.count= "of the scenario before it" sweep morfeo wfs.lo.
offered wfs.lo.count= "also behind a knob" sweep morfeo ao.modes=1:2:3 wfs.lo.
rm -f options
is "$(offers plot sweep device.rtc.sockets)" "device.rtc.sockets= " "a knob of a picture"
is "$(cat options)" "-o nospace" "which is no name of a file, in which readline would quote the ="
offered saxo "a system of a picture" plot sweep device.rtc.cores=1:8:8 sa

is "$(offers rank gpu gpu)" "" "no kind after a kind"
is "$(offers seek saxo)" "saxo saxo-plus " "a system to seek in, first"
is "$(offers seek saxo sax)" "" "no second system"
is "$(offers seek device.rtc.cores device.rtc.sockets)" "" "no second knob to seek"
is "$(offers plot timeline device.rtc.sockets)" "" "no knob of a timeline"
is "$(offers plot compare micado-scao elt-scao sax)" "" "no third design"
is "$(offers plot program mi)" "micado-scao mine.ini " "a trace or a design"
is "$(offers plot program mine.ini mi)" "mine.ini " "a trace behind its design"
is "$(offers plot program trace.csv sax)" "saxo saxo-plus " "a design behind its trace"
is "$(offers plot machine m)" "memory " "a picture of a machine, alone"
is "$(offers sensor morfeo --sensor l)" "lgs lo " "a sensor, no presets"
is "$(offers rank gpu elt-scao --device "")" "gpu0 rtc " "a device"
is "$(offers plot loop --of s)" "spectra " "a chart of a loop"
is "$(offers plot roofline --of g)" "gpu0 " "a device of a roofline"
is "$(offers plot elt-scao roofline --of g)" "gpu0 " "behind its design"
is "$(offers plot elt-scao time)" "timeline " "a chart of a design"
is "$(offers plot advise --of s)" "" "no chart of advice"
is "$(offers probe --dispatch g)" "graph " "a way to start work"
is "$(offers seek ao.gain --until latency_h)" "latency_high " "a result of a condition"
is "$(offers search --over device.gpu0=cp)" "cpu " "a kind of parts to try"
is "$(offers search --over device.gpu0=nvidia-a10,nvidia-a10)" \
    "$(offers search --over device.gpu0=nvidia-a10 | sed 's/nvidia/nvidia-a10,&/g')" "another part"
is "$(offers search --objective latency,wat)" "latency,watts " "a result in a list"
is "$(offers trace --from mi)" "mine.ini " "a file of an option"
is "$(offers trace -- mi)" "mine.ini " "no command of aolag to trace"
is "$(offers eval --set=device.rtc.sockets)" "device.rtc.sockets= " "an option with ="
offered compare "a picture of two designs" plot ""
offered saxo "a design of a picture" plot compare elt-scao sa
offered kernels "a picture of a machine" plot machine k

# The same tables in fish and zsh. asked SHELL "WORDS": what is offered, sorted, in one line.
PATH=$(cd "$build" && pwd):$PATH
cat >ask.zsh <<'ZSH'
compadd() {
    local before= behind=
    while [[ $1 == -* ]]; do
        case $1 in
        -S) behind=$2; shift ;;
        -p) before=$2; shift ;;
        --) shift; break ;;
        esac
        shift
    done
    local word
    for word; do
        [[ $before$word == $words[CURRENT]* ]] && print -r -- $before$word$behind
    done
}
_describe() {
    [[ $1 == -o ]] && shift 2 || shift
    compadd -- ${${(P)1}%%:*}
}
_files() { compadd -- *(N) }
words=(aolag ${=1})
[[ $1 == *' ' ]] && words+=('')
CURRENT=$#words
file=$2
set --
source $file
ZSH
# zsh 5.9 sometimes misses the end of a child and waits for ever: it is asked again.
in_zsh() {
    for try in 1 2 3; do
        timeout 60 zsh -f ask.zsh "$1" "$completions/_aolag" >asked 2>&1 && break
        [ $? = 124 ] || break
    done
    cat asked
}
asked() {
    case $1 in
    fish) fish --no-config -c "source $completions/aolag.fish; complete -C 'aolag $2'" 2>&1 | cut -f 1 ;;
    zsh) in_zsh "$2" ;;
    esac | LC_ALL=C sort -u | tr '\n' ' '
}
for shell in fish zsh; do
    command -v "$shell" >/dev/null || {
        skip "completion in $shell" "there is no $shell"
        continue
    }
    is "$(asked "$shell" 'ev')" "eval " "$shell: a command"
    for command in $("$AOLAG" help | sed -n '/^Commands;/,/^Options:/s/^  \([a-z][a-z]*\) .*/\1/p'); do
        is "$(asked "$shell" "$command --")" "$(offers "$command" --)" "$shell: options of $command"
    done
    is "$(asked "$shell" 'rank gpu --by l')" "latency latency-tdp " "$shell: values of an option"
    is "$(asked "$shell" 'eval micado-s')" "micado-scao " "$shell: a system"
    is "$(asked "$shell" 'eval knl-sh80')" "$(offers eval knl-sh80)" "$shell: a pipeline"
    is "$(asked "$shell" 'check mi')" "mine.ini " "$shell: a file"
    is "$(asked "$shell" 'plot tim')" "timeline " "$shell: a chart"
    is "$(asked "$shell" 'presets list fp')" "fpga " "$shell: a word of a synopsis"
    is "$(asked "$shell" 'help se')" "search seek sensor " "$shell: a command to describe"
    is "$(asked "$shell" 'sweep device.rtc.sockets')" "device.rtc.sockets= " "$shell: a knob to vary"
    is "$(asked "$shell" 'plot sweep device.rtc.sockets')" "device.rtc.sockets= " "$shell: a knob of a picture"
    is "$(asked "$shell" 'eval morfeo --set wfs.lo.cou')" "wfs.lo.count= " "$shell: of the scenario"
    is "$(asked "$shell" 'eval --set component.recon.algorithm=m')" \
        "component.recon.algorithm=modal component.recon.algorithm=mvm " "$shell: a choice"
    is "$(asked "$shell" 'eval --set device.rtc.preset=amd-epyc-74')" \
        "device.rtc.preset=amd-epyc-7402 " "$shell: a preset"
    is "$(asked "$shell" 'explain component.recon.memory_t')" "component.recon.memory_time " \
        "$shell: a result"
    for words in 'rank gpu gpu' 'rank g' 'seek device.rtc.cores sax' 'seek device.rtc.cores device.rtc.so' 'seek device.rtc.so' \
        'plot compare sa' 'plot timeline device.rtc.so' 'plot machine k' 'plot program mi' 'detector --sensor n' 'trace -- mi'; do
        is "$(asked "$shell" "$words")" "$(offers $words)" "$shell: $words"
    done
    is "$(asked "$shell" 'eval nosuch')" "" "$shell: nothing where nothing fits"
done

finish
