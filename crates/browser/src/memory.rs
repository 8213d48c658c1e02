//! Memory of a process group, as Linux reports it.

use std::fs;

use rustix::param::page_size;

/// Returns the private memory of all processes of a group, in bytes. 0 on systems without `/proc`.
pub(crate) fn private_bytes_of_group(group: i32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let names = processes.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let members =
        names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()) && is_member(name, group));
    members.filter_map(|name| private_bytes(&name)).sum()
}

fn is_member(process: &str, group: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    // The name of the program is in parentheses and may contain spaces.
    let Some((_, fields)) = stat.rsplit_once(") ") else { return false };
    fields.split(' ').nth(2).and_then(|field| field.parse().ok()) == Some(group)
}

fn private_bytes(process: &str) -> Option<u64> {
    let sizes = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let mut sizes = sizes.split(' ').skip(1);
    let (resident, shared): (u64, u64) = (sizes.next()?.parse().ok()?, sizes.next()?.parse().ok()?);
    // 4096 bytes on most machines, up to 65,536 on some with ARM.
    let page_bytes = u64::try_from(page_size()).ok()?;
    Some(resident.saturating_sub(shared).saturating_mul(page_bytes))
}
