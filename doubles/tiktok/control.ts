import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { type SettingsChange, settingsChangeSchema } from './settings.ts';
import type { Statistics } from './statistics.ts';

/** The state that the control endpoint changes. */
export interface Controlled {
  readonly statistics: Statistics;
  reset(): void;
  configure(change: SettingsChange): void;
}

export interface Control {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A small HTTP endpoint on a loopback port of its own: `GET /stats`, `GET /links`, `POST /reset`, `POST /configure` with a
 * JSON body.
 */
export async function startControl(
  controlled: Controlled,
  links: Readonly<Record<string, string>>,
): Promise<Control> {
  const server = createServer((request, response) => {
    void handle(controlled, links, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function handle(
  controlled: Controlled,
  links: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  try {
    switch (`${request.method} ${request.url}`) {
      case 'GET /stats':
        return send(200, controlled.statistics);
      case 'GET /links':
        return send(200, links);
      case 'POST /reset':
        controlled.reset();
        return send(200, {});
      case 'POST /configure':
        controlled.configure(settingsChangeSchema.parse(await readJson(request)));
        return send(200, {});
      default:
        return send(404, { error: 'GET /stats, GET /links, POST /reset or POST /configure' });
    }
  } catch (error) {
    const wrongInput = error instanceof z.ZodError || error instanceof SyntaxError;
    send(wrongInput ? 400 : 500, { error: String(error) });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}
