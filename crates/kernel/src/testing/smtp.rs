//! A local mail server that accepts every message, or replies as a test specifies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The server. It stops with the runtime of its test.
#[derive(Debug)]
pub struct SmtpServer {
    /// Its address, in the format of `CARREL_SMTP_URL`.
    pub url: String,
    letters: tokio::sync::Mutex<UnboundedReceiver<ReceivedLetter>>,
    replies: Arc<Mutex<VecDeque<&'static str>>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedLetter {
    /// Recipients of the envelope, from `RCPT TO`.
    pub to: Vec<String>,
    /// Headers and body, with the soft line breaks of quoted-printable text removed.
    pub text: String,
}

impl SmtpServer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("bind a free port");
        let url = format!("smtp://{}", listener.local_addr().expect("read the address"));
        let (sender, letters) = unbounded_channel();
        let replies: Arc<Mutex<VecDeque<&'static str>>> = Arc::default();
        let scripted = Arc::clone(&replies);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone(), Arc::clone(&scripted)));
            }
        });
        Self { url, letters: tokio::sync::Mutex::new(letters), replies }
    }

    /// Sets the reply to the next recipient, instead of accepting it.
    pub fn reply_next(&self, reply: &'static str) {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push_back(reply);
    }

    /// Waits for the next message and returns it.
    ///
    /// # Panics
    /// If the server has stopped, or no message arrives within a minute.
    pub async fn letter(&self) -> ReceivedLetter {
        let letter = async { self.letters.lock().await.recv().await };
        let received = tokio::time::timeout(Duration::from_mins(1), letter).await;
        received.expect("a letter arrives within a minute").expect("the server is running")
    }

    /// True if no message is waiting to be read.
    pub async fn is_empty(&self) -> bool {
        self.letters.lock().await.is_empty()
    }
}

/// Serves one connection.
async fn serve(
    stream: TcpStream,
    letters: UnboundedSender<ReceivedLetter>,
    replies: Arc<Mutex<VecDeque<&'static str>>>,
) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut to = Vec::new();
    write.write_all(b"220 test\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" | "HELO" | "RSET" | "NOOP" | "MAIL" => "250 ok",
            "RCPT" => {
                to.push(line.trim_start_matches(|c| c != '<').trim_matches(['<', '>']).to_owned());
                replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or("250 ok")
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await?;
                let mut text = String::new();
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    text.push_str(&line);
                    text.push('\n');
                }
                let text = text.replace("=\n", "").replace("=3D", "=");
                let _ = letters.send(ReceivedLetter { to: std::mem::take(&mut to), text });
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "500 what",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await?;
        if verb == "QUIT" {
            break;
        }
    }
    Ok(())
}
