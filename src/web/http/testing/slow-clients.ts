import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { expect } from 'vitest';

/** The order of the real ones, in milliseconds instead of seconds. */
export const shortTimes = { requestMs: 300, headMs: 150, checkMs: 25, betweenMs: 100 };

/** Connects to a server of this machine, sends a text, and reads whatever comes. */
export async function openSocket(server: Server, text: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.resume();
  socket.write(text);
  return socket;
}

/** Resolves when a socket is closed, however it was. */
export const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

/** Sends a byte now and then, for ever. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('1\r\na\r\n'), 20);
  socket.once('close', () => clearInterval(timer));
}

/** The head of a `POST` whose body is still to come. @param more header lines */
export const postHead = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n\r\n`;

/** Expects a server with {@link shortTimes} to end 300 requests whose bodies never end. */
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
