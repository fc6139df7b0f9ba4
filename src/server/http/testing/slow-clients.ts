import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';

/** The same order as the real ones, in milliseconds instead of seconds. */
export const shortTimes = { requestMs: 300, headMs: 150, checkMs: 25, betweenMs: 100 };

/** Connects to a local server, sends a text, and reads the response. */
export async function openSocket(server: Server, text: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.resume();
  socket.write(text);
  return socket;
}

/** Resolves when a socket is closed, in whatever way. */
export const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

/** Sends a byte now and then, forever. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('1\r\na\r\n'), 20);
  socket.once('close', () => clearInterval(timer));
}

/** The head of a `POST` without its body. @param more header lines */
export const postHead = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n\r\n`;

/** Expects a server with {@link shortTimes} to end 300 requests with endless bodies. */
export async function expectEndlessBodiesEnded(server: Server, path: string): Promise<void> {
  const lengths = [
    'Transfer-Encoding: chunked',
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 90000',
  ];
  const sockets = await Promise.all(
    Array.from({ length: 300 }, (_, n) => openSocket(server, postHead(path, lengths[n % 2] ?? ''))),
  );
  for (const socket of sockets) drip(socket);
  await Promise.all(sockets.map(closed));
  expect(sockets.every((socket) => socket.closed)).toBe(true);
}
