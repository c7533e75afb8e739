//! `goldilocks doctor`
