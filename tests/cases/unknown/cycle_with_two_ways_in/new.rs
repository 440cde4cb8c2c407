// No source has such a cycle; an optimisation could make one.
#![feature(core_intrinsics, custom_mir)]
#![allow(internal_features)]

use std::intrinsics::mir::*;

/// Counts up to a number that ends in three of eight.
#[custom_mir(dialect = "runtime", phase = "optimized")]
pub fn steps(n: u32) -> u32 {
    mir! {
        let count: u32;
        {
            count = n;
            match n { 0 => first, _ => second }
        }
        first = {
            count = count & 7;
            match count { 3 => done, _ => second }
        }
        second = {
            count = count + 9;
            Goto(first)
        }
        done = {
            RET = count;
            Return()
        }
    }
}
