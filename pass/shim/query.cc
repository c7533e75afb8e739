// Analyses of LLVM, for the functions in shim.h of the same name.
#include "shim.h"

#include <cstdlib>

#include <llvm-c/Core.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

using namespace llvm;

void goldilocks_underlying_objects(LLVMValueRef Pointer, void (*Visit)(void *, LLVMValueRef), void *Context) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(unwrap(Pointer), Objects);
  for (const Value *Object : Objects)
    Visit(Context, wrap(Object));
}

bool goldilocks_may_be_captured(LLVMValueRef Pointer) {
#if GOLDILOCKS_LLVM_MAJOR >= 21
  // Who knows the address alone cannot access the memory.
  return capturesAnyProvenance(
      PointerMayBeCaptured(unwrap(Pointer), /*ReturnCaptures=*/true, CaptureComponents::Provenance));
#else
  return PointerMayBeCaptured(unwrap(Pointer), /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
#endif
}

void goldilocks_known_low_bits(LLVMValueRef Pointer, LLVMValueRef At, uint8_t *Zeros, uint8_t *Ones) {
  auto *I = cast<Instruction>(unwrap(At));
  SimplifyQuery Query(I->getModule()->getDataLayout(), I);
#if GOLDILOCKS_LLVM_MAJOR >= 22
  KnownBits Known = computeKnownBits(unwrap(Pointer), Query);
#else
  KnownBits Known = computeKnownBits(unwrap(Pointer), /*Depth=*/0, Query);
#endif
  *Zeros = static_cast<uint8_t>(Known.Zero.extractBitsAsZExtValue(8, 0));
  *Ones = static_cast<uint8_t>(Known.One.extractBitsAsZExtValue(8, 0));
}

LLVMValueRef goldilocks_constant_offset(LLVMValueRef Pointer, int64_t *Offset) {
  Value *V = unwrap(Pointer);
  *Offset = 0;
  // Globals stay whole: their offsets are folded into a relocation anyhow.
  if (isa<Constant>(V))
    return Pointer;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return Pointer;
  const DataLayout &Layout = I->getModule()->getDataLayout();
  APInt Bytes(Layout.getIndexTypeSizeInBits(V->getType()), 0);
  Value *Base = V->stripAndAccumulateConstantOffsets(Layout, Bytes, /*AllowNonInbounds=*/false);
  if (Base->getType() != V->getType())
    return Pointer;
  *Offset = Bytes.getSExtValue();
  return wrap(Base);
}

bool goldilocks_is_system_scope(LLVMValueRef Instruction) {
  std::optional<SyncScope::ID> Scope = getAtomicSyncScopeID(cast<llvm::Instruction>(unwrap(Instruction)));
  return Scope && *Scope == SyncScope::System;
}

bool goldilocks_is_swift_error(LLVMValueRef V) { return unwrap(V)->isSwiftError(); }

bool goldilocks_is_vtable_access(LLVMValueRef Access) {
  const MDNode *Tag = cast<Instruction>(unwrap(Access))->getMetadata(LLVMContext::MD_tbaa);
  return Tag && Tag->isTBAAVtableAccess();
}

bool goldilocks_is_constructor(LLVMValueRef F) {
  std::string Name = unwrap(F)->getName().str();
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Name.c_str()) || !Demangler.isCtorOrDtor())
    return false;
  size_t Length = 0;
  char *Base = Demangler.getFunctionBaseName(nullptr, &Length);
  bool Destroys = Base && Base[0] == '~';
  std::free(Base);
  return !Destroys;
}

bool goldilocks_is_pure_call(LLVMValueRef Call) {
  auto *C = cast<CallBase>(unwrap(Call));
  return C->doesNotAccessMemory() && C->doesNotThrow() && C->hasFnAttr(Attribute::WillReturn);
}

bool goldilocks_always_returns(LLVMValueRef Call) {
  auto *C = cast<CallBase>(unwrap(Call));
  return C->doesNotThrow() && C->hasFnAttr(Attribute::WillReturn) && !C->hasFnAttr(Attribute::ReturnsTwice);
}

bool goldilocks_is_declared_silent(LLVMValueRef Call) {
  auto *C = cast<CallBase>(unwrap(Call));
  return C->hasFnAttr(Attribute::NoSync) && C->hasFnAttr(Attribute::NoFree);
}

bool goldilocks_is_exact(LLVMValueRef F) { return cast<Function>(unwrap(F))->isDefinitionExact(); }

const char *goldilocks_scope_name(LLVMMetadataRef Location, size_t *Length) {
  const DISubprogram *Function = cast<DILocation>(unwrap(Location))->getScope()->getSubprogram();
  StringRef Name = Function ? Function->getLinkageName() : StringRef();
  *Length = Name.size();
  return Name.empty() ? nullptr : Name.data();
}

const char *goldilocks_result_name(LLVMValueRef Function, size_t *Length) {
  const DISubprogram *Subprogram = cast<llvm::Function>(unwrap(Function))->getSubprogram();
  const DISubroutineType *Type = Subprogram ? Subprogram->getType() : nullptr;
  const auto Types = Type ? Type->getTypeArray() : nullptr;
  StringRef Name = Types && Types.size() != 0 && Types[0] ? Types[0]->getName() : StringRef();
  *Length = Name.size();
  return Name.empty() ? nullptr : Name.data();
}

LLVMMetadataRef goldilocks_subprogram(LLVMMetadataRef Location) {
  return wrap(cast<DILocation>(unwrap(Location))->getScope()->getSubprogram());
}

bool goldilocks_is_static_alloca(LLVMValueRef Alloca) { return cast<AllocaInst>(unwrap(Alloca))->isStaticAlloca(); }
