import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

/** A report as a browser sent it. */
export interface SentReport {
  readonly upload_id: string;
  readonly mode: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A third party's server that accepts reports, and responds according to the specification. */
export interface ReportServer {
  readonly origin: string;
  /** The received reports, in order. */
  readonly reports: readonly SentReport[];
  /** Waits for a report. @returns the first one that matches */
  wait(what: string, fits: (report: SentReport) => boolean): Promise<SentReport>;
  stop(): void;
}

/** The names that it assigns to every visitor. */
export const serverNames = {
  token_id: 'token-of-the-server',
  doc_id: 'doc-of-the-server',
  visit_timestamp: 1_795_000_000_000,
  s_id: 'visit-of-the-server',
  s_expiration: 600,
};

/** Starts it on a free port of the loopback interface. */
export async function startReportServer(): Promise<ReportServer> {
  const reports: SentReport[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.method === 'POST' && request.url === '/collect/api/web/report')
        reports.push(...([JSON.parse(Buffer.concat(parts).toString())].flat() as SentReport[]));
      const { origin = '*' } = request.headers;
      response.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'cross-origin-resource-policy': 'cross-origin',
      });
      response.end(JSON.stringify({ cscode: 0, data: serverNames }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    async wait(what, fits) {
      await until(`a report: ${what}`, () => reports.some(fits));
      return reports.find(fits) as SentReport;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
