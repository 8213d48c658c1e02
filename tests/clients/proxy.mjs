// Hands requests on to Carrel with a key in their heads; everything else stays as it was sent.
import http from "node:http";

const carrel = new URL(process.env.SERVICE_URL);
http.createServer((asked, answer) => {
  const local = /^(localhost|127\.0\.0\.1)(:|$)/.test(asked.headers.host ?? "");
  const headers = {
    ...asked.headers, authorization: `Bearer ${process.env.KEY}`, host: local ? carrel.host : asked.headers.host,
  };
  const { hostname, port } = carrel;
  const onward = http.request({ hostname, port, path: asked.url, method: asked.method, headers }, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    response.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}).listen(Number(process.env.PORT), "127.0.0.1");
