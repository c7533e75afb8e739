//! Attributes of functions, calls and parameters.

use super::{Module, Type, Value, call, sys};

/// Where attributes can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Function,
    /// By position, from 0.
    Parameter(u32),
}

impl Place {
    fn index(self) -> u32 {
        match self {
            Place::Function => u32::MAX,
            Place::Parameter(number) => number + 1,
        }
    }
}

/// An attribute without a value, known to LLVM by name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Attribute(u32);

impl Attribute {
    /// `None` if this version of LLVM has no such attribute.
    pub fn named(name: &str) -> Option<Attribute> {
        let kind = call!(LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ));
        (kind != 0).then_some(Attribute(kind))
    }

    fn create(self, module: Module) -> sys::LLVMAttributeRef {
        call!(LLVMCreateEnumAttribute(module.context(), self.0, 0))
    }
}

fn create_text(module: Module, key: &str, value: &str) -> sys::LLVMAttributeRef {
    call!(LLVMCreateStringAttribute(
        module.context(),
        key.as_ptr().cast(),
        key.len() as u32,
        value.as_ptr().cast(),
        value.len() as u32,
    ))
}

/// Attributes of functions.
impl<'m> Value<'m> {
    pub fn has_attribute(self, attribute: Attribute) -> bool {
        self.is_function()
            && !call!(LLVMGetEnumAttributeAtIndex(
                self.raw,
                Place::Function.index(),
                attribute.0
            ))
            .is_null()
    }

    /// Whether a call itself has the attribute.
    pub fn has_call_attribute(self, attribute: Attribute) -> bool {
        self.is_call()
            && !call!(LLVMGetCallSiteEnumAttribute(
                self.raw,
                Place::Function.index(),
                attribute.0
            ))
            .is_null()
    }

    /// Whether the function is to stay as it was written (`-O0`, `optnone`).
    pub fn is_unoptimized(self) -> bool {
        Attribute::named("optnone").is_some_and(|attribute| self.has_attribute(attribute))
    }

    /// Whether small code matters more than fast code (`-Os`, `-Oz`, `cold`).
    pub fn prefers_small_code(self) -> bool {
        ["optsize", "minsize", "cold"]
            .into_iter()
            .filter_map(Attribute::named)
            .any(|attribute| self.has_attribute(attribute))
    }

    pub fn add_attribute(self, module: Module<'m>, attribute: Attribute) {
        assert!(self.is_function());
        call!(LLVMAddAttributeAtIndex(
            self.raw,
            Place::Function.index(),
            attribute.create(module)
        ));
    }

    pub fn remove_attribute(self, attribute: Attribute) {
        assert!(self.is_function());
        call!(LLVMRemoveEnumAttributeAtIndex(
            self.raw,
            Place::Function.index(),
            attribute.0
        ));
    }

    pub fn text_attribute(self, key: &str) -> Option<&'m str> {
        if !self.is_function() {
            return None;
        }
        let attribute = call!(LLVMGetStringAttributeAtIndex(
            self.raw,
            Place::Function.index(),
            key.as_ptr().cast(),
            key.len() as u32
        ));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        let text = call!(LLVMGetStringAttributeValue(attribute, &mut length));
        if length == 0 {
            return Some("");
        }
        // SAFETY: LLVM keeps attributes, with `length` bytes of text, as long as the context of the module.
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) };
        std::str::from_utf8(bytes).ok()
    }

    pub fn set_text_attribute(self, module: Module<'m>, key: &str, value: &str) {
        assert!(self.is_function());
        call!(LLVMAddAttributeAtIndex(
            self.raw,
            Place::Function.index(),
            create_text(module, key, value)
        ));
    }

    /// The type that a parameter attribute with a type, like `byval`, names at a parameter of this function.
    pub fn parameter_type_attribute(self, number: u32, attribute: Attribute) -> Option<Type<'m>> {
        if !self.is_function() {
            return None;
        }
        let found = call!(LLVMGetEnumAttributeAtIndex(
            self.raw,
            Place::Parameter(number).index(),
            attribute.0
        ));
        (!found.is_null()).then(|| Type::new(call!(LLVMGetTypeAttributeValue(found))))
    }

    pub fn parameter_has_attribute(self, number: u32, attribute: Attribute) -> bool {
        self.is_function()
            && !call!(LLVMGetEnumAttributeAtIndex(
                self.raw,
                Place::Parameter(number).index(),
                attribute.0
            ))
            .is_null()
    }

    pub fn remove_parameter_attribute(self, number: u32, attribute: Attribute) {
        assert!(self.is_function());
        call!(LLVMRemoveEnumAttributeAtIndex(
            self.raw,
            Place::Parameter(number).index(),
            attribute.0
        ));
    }
}

/// Attributes of calls.
impl<'m> Value<'m> {
    pub fn remove_argument_attribute(self, number: u32, attribute: Attribute) {
        assert!(self.is_call());
        call!(LLVMRemoveCallSiteEnumAttribute(
            self.raw,
            Place::Parameter(number).index(),
            attribute.0
        ));
    }

    pub fn add_call_attribute(self, module: Module<'m>, attribute: Attribute) {
        assert!(self.is_call());
        call!(LLVMAddCallSiteAttribute(
            self.raw,
            Place::Function.index(),
            attribute.create(module)
        ));
    }

    /// The type that a parameter attribute with a type, like `byval`, names at an argument of this call.
    pub fn argument_type_attribute(self, number: u32, attribute: Attribute) -> Option<Type<'m>> {
        if !self.is_call() {
            return None;
        }
        let found = call!(LLVMGetCallSiteEnumAttribute(
            self.raw,
            Place::Parameter(number).index(),
            attribute.0
        ));
        (!found.is_null()).then(|| Type::new(call!(LLVMGetTypeAttributeValue(found))))
    }

    /// Alignment in bytes that this call promises of an argument.
    pub fn argument_alignment(self, number: u32, align: Attribute) -> u64 {
        if !self.is_call() {
            return 1;
        }
        let found = call!(LLVMGetCallSiteEnumAttribute(
            self.raw,
            Place::Parameter(number).index(),
            align.0
        ));
        if found.is_null() {
            1
        } else {
            call!(LLVMGetEnumAttributeValue(found)).max(1)
        }
    }
}
