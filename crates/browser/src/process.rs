//! Process group of a browser: starts as an unprivileged user with memory limits, and leaves no processes or
//! files.
//!
//! A shell starts the browser, because it can hand the pipes over as the file descriptors 3 and 4 and limit
//! the memory without unsafe code. It survives the browser and removes the profile, even if this process was
//! killed: the pipe then closes, and the browser exits. If the shell was killed, the start of the next
//! browser removes the profile (`profile`).

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, getuid, kill_process_group};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{interval, timeout};

use crate::profile::{Profile, UNPRIVILEGED};

/// Runs the browser with its pipes and limits. Then terminates its remaining processes, which may have the
/// pipes open, and removes its profile.
const SCRIPT: &str = "exec 3<&0 4>&1 </dev/null >/dev/null; trap : TERM; ulimit -c 0; ulimit -d \"$1\"; \
    profile=$2; shift 2; \"$@\"; exec 3<&- 4>&-; trap '' TERM; kill -TERM 0; tries=0; \
    until rm -rf -- \"$profile\" || [ $tries -ge 20 ]; do tries=$((tries + 1)); sleep 0.2; done";
/// Time for the browser to end after its pipe is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);
/// Number of attempts to remove a profile whose processes are ending.
const REMOVE_ATTEMPTS: u32 = 50;
/// Pause between the attempts.
const REMOVE_PAUSE: Duration = Duration::from_millis(20);

/// Options of a browser process.
pub(crate) struct ProcessOptions<'a> {
    pub(crate) program: &'a Path,
    /// Proxy for every request of the browser.
    pub(crate) proxy: SocketAddr,
    pub(crate) user_agent: &'a str,
    /// Maximum data segment of each process, in bytes.
    pub(crate) max_process_bytes: u64,
}

/// Running browser. Dropping it terminates the whole process group.
pub(crate) struct Process {
    child: Child,
    group: Pid,
    profile: Profile,
}

impl Process {
    /// Starts a browser. Returns it with its command pipe and its response pipe.
    pub(crate) fn start(options: &ProcessOptions<'_>) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let profile = Profile::create()?;
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(SCRIPT).arg("sh");
        command.arg((options.max_process_bytes >> 10).to_string()).arg(profile.path());
        command.arg(options.program).args(arguments(options, profile.path()));
        // The environment contains secrets of the operator, so the browser gets none of it.
        command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("LANG", "C.UTF-8");
        command.env("HOME", profile.path()).env("TMPDIR", profile.path());
        command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        if getuid().is_root() {
            command.uid(UNPRIVILEGED).gid(UNPRIVILEGED);
        }
        // After this, the shell removes the profile.
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let (Some(group), (Some(commands), Some(responses))) = (group, pipes) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        Ok((Self { child, group, profile }, commands, responses))
    }

    /// Returns the id of the process group.
    pub(crate) fn group(&self) -> i32 {
        self.group.as_raw_nonzero().get()
    }

    /// Stops the browser, whose pipes must be closed, and waits until its profile is removed.
    pub(crate) async fn stop(&mut self) {
        let ended = timeout(EXIT_TIMEOUT, self.child.wait()).await.is_ok();
        // Processes that outlive the browser, for example because they spin.
        self.kill();
        if !ended {
            self.child.wait().await.ok();
        }
        let mut pauses = interval(REMOVE_PAUSE);
        for _ in 0..REMOVE_ATTEMPTS {
            match std::fs::remove_dir_all(self.profile.path()) {
                Ok(()) => return,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return,
                Err(_) => drop(pauses.tick().await),
            }
        }
        tracing::warn!(profile = %self.profile.path().display(), "the profile of a browser cannot be removed");
    }

    /// Kills all processes of the group simultaneously.
    pub(crate) fn kill(&self) {
        kill_process_group(self.group, Signal::KILL).ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The shell ignores the signal and removes the profile.
        if self.child.id().is_some() {
            kill_process_group(self.group, Signal::TERM).ok();
        }
    }
}

fn arguments(options: &ProcessOptions<'_>, profile: &Path) -> Vec<String> {
    let fixed = [
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-startup-window",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-pings",
        "--no-service-autorun",
        "--noerrdialogs",
        "--block-new-web-contents",
        "--deny-permission-prompts",
        "--disable-back-forward-cache",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-client-side-phishing-detection",
        "--disable-component-extensions-with-background-pages",
        "--disable-component-update",
        "--disable-crash-reporter",
        "--disable-default-apps",
        "--disable-dev-shm-usage",
        "--disable-domain-reliability",
        "--disable-extensions",
        "--disable-file-system",
        "--disable-gpu",
        "--disable-notifications",
        "--disable-print-preview",
        "--disable-quic",
        "--disable-sync",
        "--disable-features=Translate,OptimizationHints,OptimizationGuideModelDownloading,MediaRouter,\
         DialMediaRouteProvider,InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,\
         AutofillServerCommunication,Prerender2,PreloadMediaEngagementData",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--proxy-bypass-list=<-loopback>",
        "--hide-scrollbars",
        "--js-flags=--max-old-space-size=384",
        "--lang=en-US",
        "--metrics-recording-only",
        "--mute-audio",
        "--password-store=basic",
    ];
    let mut arguments: Vec<String> = fixed.iter().map(|flag| (*flag).to_owned()).collect();
    arguments.push(format!("--proxy-server=http://{}", options.proxy));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.push(format!("--user-agent={}", options.user_agent));
    arguments
}
