import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One report as it arrived. */
interface ArrivedReport {
  /** The project in the address. */
  readonly project: string;
  readonly key: string;
  /** Everything that was sent, headers of the request included. */
  readonly whole: string;
  readonly items: readonly { readonly type: string; readonly payload: Record<string, unknown> }[];
}

/** A program that accepts reports like a server of Sentry's protocol. */
export interface MonitoringServer {
  readonly dsn: string;
  readonly origin: string;
  readonly reports: ArrivedReport[];
  /** The next responses. */
  status: number;
  close(): void;
}

function readItems(body: string): ArrivedReport['items'] {
  const lines = body.split('\n').slice(1);
  const items: { type: string; payload: Record<string, unknown> }[] = [];
  for (let at = 0; at + 1 < lines.length; ) {
    const { type } = JSON.parse(lines[at] ?? '') as { type: string };
    // A recording consists of a line with its number and one with its events.
    const isRecording = type === 'replay_recording';
    const payload = JSON.parse(lines[at + (isRecording ? 2 : 1)] ?? '') as Record<string, unknown>;
    items.push({ type, payload });
    at += isRecording ? 3 : 2;
  }
  return items;
}

/** Starts one on a free port of the loopback interface. */
export async function startMonitoringServer(): Promise<MonitoringServer> {
  const reports: ArrivedReport[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://double');
    const body = await text(request);
    if (double.status === 200)
      reports.push({
        project: /^\/api\/(\d+)\/envelope\/$/.exec(url.pathname)?.[1] ?? '',
        key: url.searchParams.get('sentry_key') ?? '',
        whole: `${request.url}\n${JSON.stringify(request.headers)}\n${body}`,
        items: readItems(body),
      });
    const location = double.status === 307 ? { location: '/elsewhere' } : {};
    response.writeHead(double.status, location).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const double: MonitoringServer = {
    dsn: `http://ownkey@${host}/7`,
    origin: `http://${host}`,
    reports,
    status: 200,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return double;
}
