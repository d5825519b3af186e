//! Facts about the machine.

use super::run::Machine;

/// What the operating system tells; the libraries' versions are left empty.
#[must_use]
pub fn facts() -> Machine {
    let uname = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    Machine {
        cpu: cpu_name().unwrap_or_else(|| text(uname.machine())),
        cores: cores(),
        os: format!("{} {}", text(uname.sysname()), text(uname.release())),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Machine::default()
    }
}

/// Logical cores that the program may use; 1 when nobody knows.
#[must_use]
pub fn cores() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(cores).unwrap_or(u32::MAX)
}

/// The processor's name as Linux tells it.
fn cpu_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let name = line.split_once(':')?.1.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// CPU time of the calling thread.
#[must_use]
pub fn thread_cpu_time() -> std::time::Duration {
    cpu_time(rustix::time::ClockId::ThreadCPUTime)
}

/// CPU time of all threads of the program.
#[must_use]
pub fn process_cpu_time() -> std::time::Duration {
    cpu_time(rustix::time::ClockId::ProcessCPUTime)
}

fn cpu_time(clock: rustix::time::ClockId) -> std::time::Duration {
    let time = rustix::time::clock_gettime(clock);
    std::time::Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_there() {
        let machine = facts();
        assert!(!machine.cpu.is_empty() && !machine.os.trim().is_empty());
        assert!(machine.cores >= 1);
        assert_eq!(machine.version, env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn cpu_time_moves_with_work() {
        let before = thread_cpu_time();
        let mut sum = 0_u64;
        while thread_cpu_time() == before {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(process_cpu_time() > before);
    }
}
