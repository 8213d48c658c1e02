//! A mail server on this machine that takes every letter, or says what a test has it say.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The server. It ends with the runtime of its test.
#[derive(Debug)]
pub struct SmtpServer {
    /// Where it answers, as `CARREL_SMTP_URL` has it.
    pub url: String,
    letters: tokio::sync::Mutex<UnboundedReceiver<ReceivedLetter>>,
    replies: Arc<Mutex<VecDeque<&'static str>>>,
}

/// A letter as it came over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedLetter {
    /// The recipients of the envelope, as in `RCPT TO`.
    pub to: Vec<String>,
    /// Head and body, quoted-printable line breaks joined.
    pub text: String,
}

impl SmtpServer {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// When there is no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("smtp://{}", listener.local_addr().expect("its address"));
        let (sender, letters) = unbounded_channel();
        let replies: Arc<Mutex<VecDeque<&'static str>>> = Arc::default();
        let scripted = Arc::clone(&replies);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(talk(stream, sender.clone(), Arc::clone(&scripted)));
            }
        });
        Self { url, letters: tokio::sync::Mutex::new(letters), replies }
    }

    /// What it says to the next recipient, in place of taking the letter.
    pub fn reply_next(&self, reply: &'static str) {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push_back(reply);
    }

    /// The next letter; waits until there is one.
    ///
    /// # Panics
    /// When the server has ended.
    pub async fn letter(&self) -> ReceivedLetter {
        self.letters.lock().await.recv().await.expect("the server runs")
    }

    /// Whether no letter is there that was not taken.
    pub async fn is_empty(&self) -> bool {
        self.letters.lock().await.is_empty()
    }
}

/// One connection.
async fn talk(
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
