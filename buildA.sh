#!/bin/bash
# build.sh NAME [native|gold|tsan ...]   (GOLDI=/path/to/tree, default /tmp/goldi)
export GOLDI=${GOLDI:-/tmp/goldi}
export PERF=/tmp/perf SRC=/tmp/perf/src
N=$1; shift; V=${@:-native gold tsan}
. $PERF/recipes/$N.sh || exit 1
rc=0
for v in $V; do
  B=/tmp/pf/A/$N/$v; rm -rf $B; mkdir -p $B; cd $B
  OPT="-O2 -g"
  case $v in
   native) CC=clang-22 CXX=clang++-22 ;;
   gold) CC=$GOLDI/bin/goldilocks-cc CXX=$GOLDI/bin/goldilocks-c++ ;;
   tsan) CC=clang-22 CXX=clang++-22 OPT="$OPT -fsanitize=thread" ;;
  esac
  export CC CXX OPT B VARIANT=$v
  export GOLDILOCKS_OPTIONS=report_bugs=0 TSAN_OPTIONS=report_bugs=0
  ( set -e; build ) >/tmp/pf/A/$N.$v.log 2>&1 || { echo "$N $v: BUILD FAILED"; tail -5 /tmp/pf/A/$N.$v.log; rc=1; }
done
exit $rc
