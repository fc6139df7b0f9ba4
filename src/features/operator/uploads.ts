import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import type { DeskPage, SentFile } from '../../server/desk/desk-page.ts';
import { longBodyBytes } from '../../server/http/bodies.ts';
import { addText } from './http.ts';

type Upload = NonNullable<DeskPage['upload']>;

/** Limits of the texts beside a file. */
const mostFields = 20;
const fieldBytes = 16 * 1024;

/** A form that has come in, with its file on the disk. */
export interface SentForm extends AsyncDisposable {
  readonly form: FormData;
  readonly file: SentFile | null;
}

/** The longest form around a file. */
const formBytes = (mostFields + 1) * fieldBytes;

/**
 * Accepts forms with a file at the addresses of a scope, without collecting them in memory.
 * @throws Error where proxies would not let them through
 */
export const takeUploads = async (
  scope: FastifyInstance,
  address: string,
  { maxBytes }: Upload,
): Promise<void> => {
  if (maxBytes + formBytes > (longBodyBytes[address] ?? 0)) throw new Error(`No long bodies at ${address}.`);
  await scope.register(multipart, {
    limits: {
      ...{ fileSize: maxBytes, files: 1, fields: mostFields, fieldSize: fieldBytes, fieldNameSize: 100 },
      ...{ parts: mostFields + 1, headerPairs: 20 },
    },
  });
};

/**
 * Reads a form with at most one file, which comes after its texts. The file is deleted at the end of the block.
 * @param check throws what refuses the form; called before anything of a file is written
 * @throws Failure
 */
export async function readUpload(
  request: FastifyRequest,
  { folder, maxBytes }: Upload,
  check: (form: FormData) => void,
): Promise<SentForm> {
  // A browser that hears it at once does not send the rest.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + formBytes)
    throw new Failure('request_too_large', { note: 'the file is too large' });
  const path = join(folder, `${randomUUID()}.part`);
  const form = new FormData();
  let file: SentFile | null = null;
  let isChecked = false;
  const remove = () => rm(path, { force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        addText(form, part.fieldname, String(part.value));
        continue;
      }
      check(form);
      isChecked = true;
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(part.file, target);
      if (part.file.truncated) throw new Failure('request_too_large', { note: 'the file is too large' });
      // A form without a chosen file sends an empty one without a name.
      if (part.filename !== '' && target.bytesWritten > 0) file = { path, bytes: target.bytesWritten };
    }
    if (!isChecked) check(form);
  } catch (thrown) {
    await remove();
    // Errors of the disk, of Fastify and our own have a code or a key; the parser's have none.
    const isOfForm = thrown instanceof Error && !('code' in thrown) && !(thrown instanceof Failure);
    throw isOfForm ? new Failure('request_invalid', { cause: thrown, note: 'body is no form' }) : thrown;
  }
  return { form, file, [Symbol.asyncDispose]: remove };
}
