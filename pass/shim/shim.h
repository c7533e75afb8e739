// What the pass needs and LLVM's C API lacks, as C functions. The shim adapts types and versions; what to do is
// decided in Rust. Handles are those of llvm-c.
#ifndef GOLDILOCKS_SHIM_H
#define GOLDILOCKS_SHIM_H

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

// Fills the llvm::PassPluginLibraryInfo at `info` with what registers `pass`, and returns it.
void *goldilocks_plugin_info(void *info, goldilocks_pass pass);

// --- options.cc: command line options, or the same from the environment variable GOLDILOCKS_PASS ---

struct goldilocks_options {
  bool local_exec;
  bool reads;
  bool writes;
  bool atomics;
  bool memory;
  bool inline_checks;
  bool redundant;
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
// Whether `alloca` has a fixed size.
bool goldilocks_is_static_alloca(LLVMValueRef alloca);

// --- module.cc ---

// 0: not position independent; 1, 2: as -fpic, -fPIC and -fpie, -fPIE.
unsigned goldilocks_pic_level(LLVMModuleRef module);
unsigned goldilocks_pie_level(LLVMModuleRef module);
// Adds a global to llvm.used.
void goldilocks_append_to_used(LLVMModuleRef module, LLVMValueRef global);

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
