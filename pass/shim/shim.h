// What the pass needs and LLVM's C API lacks, as C functions. The shim adapts types and versions; what to do is
// decided in Rust. Handles are those of llvm-c.
#ifndef GOLDILOCKS_SHIM_H
#define GOLDILOCKS_SHIM_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- plugin.cc: registration ---

// Runs on a module. `start`: the pipeline's first pass, before any optimization; otherwise the last. Returns whether
// the module was changed.
typedef bool (*goldilocks_pass)(LLVMModuleRef module, bool start);

typedef struct goldilocks_entered *goldilocks_entered_ref;
// Runs before LLVM moves code out of a loop of `function`. May call goldilocks_hold and goldilocks_keep_line*, and change nothing
// else.
typedef void (*goldilocks_before_motion)(LLVMValueRef function, goldilocks_entered_ref loop);

// Runs before LLVM simplifies the instructions of `function`. May call goldilocks_hide_address, and change nothing else.
typedef void (*goldilocks_before_simplification)(LLVMValueRef function);

// Fills the llvm::PassPluginLibraryInfo at `info` with what registers `pass`, `motion` and `simplification`, and returns it.
void *goldilocks_plugin_info(void *info, goldilocks_pass pass, goldilocks_before_motion motion,
                             goldilocks_before_simplification simplification);

// --- motion.cc: what LLVM moves out of loops (its pass LICM) ---

void goldilocks_entered_blocks(goldilocks_entered_ref loop, void (*visit)(void *, LLVMBasicBlockRef), void *context);
// Whether an instruction of the loop is run whenever the loop is entered.
bool goldilocks_is_entered(goldilocks_entered_ref loop, LLVMValueRef instruction);
// Keeps a store, and with it the variable that it stores to, in the loop that code is about to be moved out of.
void goldilocks_hold(LLVMValueRef store);
// An access of the loop has its line afterwards, too, if it is still there.
void goldilocks_keep_line(LLVMValueRef access);
// Of a variable of the loop that is kept in a register, the read before the loop gets the line of `read`, the writes behind it that of
// `write`; none, if that is null.
void goldilocks_keep_lines_of(goldilocks_entered_ref loop, LLVMValueRef base, int64_t offset, LLVMValueRef read,
                              LLVMValueRef write);

// --- masked.cc: what LLVM makes of masked loads (its pass InstCombine) ---

// Nothing is known of the address of a masked load while instructions are simplified.
void goldilocks_hide_address(LLVMValueRef load);

// --- options.cc: command line options, or the same from the environment variable GOLDILOCKS_PASS ---

struct goldilocks_options {
  bool local_exec;
  bool reads;
  bool writes;
  bool atomics;
  bool memory;
  bool inline_checks;
  bool redundant;
  bool loops;
  bool adjacent;
  bool alone;
  bool summaries;
  unsigned inline_limit;
  bool private_objects;
  bool marked;
  bool stats;
  bool lto;
};
void goldilocks_get_options(struct goldilocks_options *out);

// --- query.cc: analyses ---

// Calls `visit` for each object that `pointer` may point into.
void goldilocks_underlying_objects(LLVMValueRef pointer, void (*visit)(void *, LLVMValueRef), void *context);
// Whether a copy of `pointer` may outlive its function's uses of it, through which others could access memory.
bool goldilocks_may_be_captured(LLVMValueRef pointer);
// The low eight bits of `pointer` at `instruction` as far as they are known.
void goldilocks_known_low_bits(LLVMValueRef pointer, LLVMValueRef instruction, uint8_t *zeros, uint8_t *ones);
// The pointer that `pointer` is a constant number of bytes (written to `offset`) inbounds of; itself if none.
LLVMValueRef goldilocks_constant_offset(LLVMValueRef pointer, int64_t *offset);
// Whether an atomic instruction or fence is ordered against other threads.
bool goldilocks_is_system_scope(LLVMValueRef instruction);
bool goldilocks_is_swift_error(LLVMValueRef value);
// Whether a load or store accesses a pointer to a virtual table, by its type-based alias tag.
bool goldilocks_is_vtable_access(LLVMValueRef access);
// Whether `function` is a C++ constructor, by its mangled name.
bool goldilocks_is_constructor(LLVMValueRef function);
// Whether a call neither accesses memory nor can leave the block otherwise than by its end.
bool goldilocks_is_pure_call(LLVMValueRef call);
// Whether a call always comes back to where it was made, by what is known of its function.
bool goldilocks_always_returns(LLVMValueRef call);
// Whether a call neither synchronizes with other threads nor frees memory, by its attributes.
bool goldilocks_is_declared_silent(LLVMValueRef call);
// Whether the program runs this very definition of a function when it is called.
bool goldilocks_is_exact(LLVMValueRef function);
// The linkage name of the function that a position in the source (DILocation) is in; null if it has none.
const char *goldilocks_scope_name(LLVMMetadataRef location, size_t *length);
// The name that debug information has of the type that `function` returns; null if there is none.
const char *goldilocks_result_name(LLVMValueRef function, size_t *length);
// The function (DISubprogram) that a position in the source (DILocation) is in.
LLVMMetadataRef goldilocks_subprogram(LLVMMetadataRef location);
// Whether `alloca` has a fixed size.
bool goldilocks_is_static_alloca(LLVMValueRef alloca);

// --- module.cc ---

// 0: not position independent; 1, 2: as -fpic, -fPIC and -fpie, -fPIE.
unsigned goldilocks_pic_level(LLVMModuleRef module);
unsigned goldilocks_pie_level(LLVMModuleRef module);
// Adds a global to llvm.used.
void goldilocks_append_to_used(LLVMModuleRef module, LLVMValueRef global);

// --- flow.cc: dominance, loops and scalar evolution of a function ---

typedef struct goldilocks_flow *goldilocks_flow_ref;
typedef struct goldilocks_loop *goldilocks_loop_ref;
typedef struct goldilocks_scev *goldilocks_scev_ref;

// Gives every loop of `function` a preheader, where that can be done, and analyses it. What follows is true until the
// function's blocks are changed.
goldilocks_flow_ref goldilocks_flow_open(LLVMValueRef function);
void goldilocks_flow_close(goldilocks_flow_ref flow);
bool goldilocks_dominates(goldilocks_flow_ref flow, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
// The last block that all ways to both blocks go through.
LLVMBasicBlockRef goldilocks_common_dominator(goldilocks_flow_ref flow, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
bool goldilocks_is_reachable(goldilocks_flow_ref flow, LLVMBasicBlockRef block);
// Visits all loops, inner ones before those that they are in.
void goldilocks_loops(goldilocks_flow_ref flow, void (*visit)(void *, goldilocks_loop_ref), void *context);
// The innermost loop of a block; null if none.
goldilocks_loop_ref goldilocks_loop_of(goldilocks_flow_ref flow, LLVMBasicBlockRef block);
goldilocks_loop_ref goldilocks_loop_parent(goldilocks_loop_ref loop);
// The block that goes to the loop and nowhere else; the only block that goes back; null if there is none.
LLVMBasicBlockRef goldilocks_loop_preheader(goldilocks_loop_ref loop);
LLVMBasicBlockRef goldilocks_loop_latch(goldilocks_loop_ref loop);
void goldilocks_loop_blocks(goldilocks_loop_ref loop, void (*visit)(void *, LLVMBasicBlockRef), void *context);
// Visits the blocks that the loop may be left from.
void goldilocks_loop_exits(goldilocks_loop_ref loop, void (*visit)(void *, LLVMBasicBlockRef), void *context);
// How often exactly the loop goes back, in 64 bits; null if that is not known.
goldilocks_scev_ref goldilocks_loop_repeats(goldilocks_flow_ref flow, goldilocks_loop_ref loop);
// Null for what is neither integer nor pointer.
goldilocks_scev_ref goldilocks_scev_of(goldilocks_flow_ref flow, LLVMValueRef value);
goldilocks_scev_ref goldilocks_scev_number(goldilocks_flow_ref flow, int64_t number);
goldilocks_scev_ref goldilocks_scev_sum(goldilocks_flow_ref flow, goldilocks_scev_ref a, goldilocks_scev_ref b);
goldilocks_scev_ref goldilocks_scev_product(goldilocks_flow_ref flow, goldilocks_scev_ref a, goldilocks_scev_ref b);
// Whether `a - b` is a constant, and which.
bool goldilocks_scev_difference(goldilocks_flow_ref flow, goldilocks_scev_ref a, goldilocks_scev_ref b,
                                int64_t *difference);
bool goldilocks_scev_is_number(goldilocks_scev_ref scev, int64_t *number);
bool goldilocks_scev_is_invariant(goldilocks_flow_ref flow, goldilocks_scev_ref scev, goldilocks_loop_ref loop);
// Whether `scev` is `start` when `loop` is entered and grows by `step` each time.
bool goldilocks_scev_is_affine(goldilocks_flow_ref flow, goldilocks_scev_ref scev, goldilocks_loop_ref loop,
                               goldilocks_scev_ref *start, goldilocks_scev_ref *step);
// Whether `scev` can be computed there without a division by zero and the like.
bool goldilocks_scev_is_expandable(goldilocks_flow_ref flow, goldilocks_scev_ref scev, LLVMValueRef before);
// Inserts what computes `scev`, as far as it is not there.
LLVMValueRef goldilocks_scev_expand(goldilocks_flow_ref flow, goldilocks_scev_ref scev, LLVMValueRef before);

// Whether a loop can be doubled: its blocks can be copied, and what it leads to is entered from nowhere else, which is made so.
bool goldilocks_loop_can_double(goldilocks_flow_ref flow, goldilocks_loop_ref loop);
// Makes a copy of a loop that can be doubled, which is run instead of it unless `condition`, a value at the end of its preheader. All other
// loops of the flow may still be asked for their blocks and doubled, but for those inside; nothing else is known any more.
void goldilocks_loop_double(goldilocks_flow_ref flow, goldilocks_loop_ref loop, LLVMValueRef condition);

// --- recompile.cc ---

// Puts every function and every variable into a section of its own.
void goldilocks_section_per_symbol(LLVMTargetMachineRef machine);
// Adds the module's own bitcode to it, in the section where link-time optimization looks for it.
void goldilocks_embed_bitcode(LLVMModuleRef module);

// --- edit.cc ---

// Splits the block before `before` and inserts a block that is run if `condition`, which is unlikely. Returns the
// terminator of the new block.
LLVMValueRef goldilocks_split_unlikely(LLVMValueRef condition, LLVMValueRef before);
// Moves static allocas of `function` that come after another instruction to the top of its entry block.
void goldilocks_gather_allocas(LLVMValueRef function);
// Attaches empty metadata of the kind with this name.
void goldilocks_mark(LLVMValueRef instruction, const char *kind, size_t length);

#ifdef __cplusplus
}
#endif
#endif
