import type { FastifyReply, FastifyRequest } from 'fastify';
import { inOrder } from '../../../downloader/async/parallel.ts';
import { addressOf } from '../../../downloader/links/recognise.ts';
import { distinctName } from '../../../downloader/media/file-names.ts';
import { type ZipEntry, zipFiles, zipLength } from '../../../downloader/media/zip.ts';
import { Failure } from '../../../failures/failures.ts';
import { translateTo } from '../../../i18n/catalogue.ts';
import { slices } from '../../../server/endpoints/files/pictures.ts';
import { fileHeaders, sendBytes } from '../../../server/endpoints/files/sending.ts';
import { localeOf } from '../../../server/instance/errors.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import { postsAtOnce } from '../../../site/pages/tool/state/resolve-all.ts';
import { lookAhead, type Outlook, openFiles, type ZipWork, zipName } from './zip-files.ts';

interface Lost {
  readonly failure: Failure;
  /** The post's, with the author's name where the post was read. */
  readonly address: string;
}

interface Planned {
  readonly work: ZipWork;
  /** Null when nothing is known in advance. */
  readonly known: Exclude<Outlook, Failure>;
}

const noteName = 'missing.txt';

/** The zip of one request. */
class Zip {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #parts: ServerDependencies;
  readonly #works: readonly ZipWork[];
  readonly #lost: Lost[] = [];
  /** Addresses of the posts that were read, by their ids. */
  readonly #addresses = new Map<string, string>();
  readonly #names = new Set([noteName]);
  /** Exact; null when it is unknown, and before the first file is opened. */
  #length: number | null = null;

  constructor(
    works: readonly ZipWork[],
    request: FastifyRequest,
    reply: FastifyReply,
    parts: ServerDependencies,
  ) {
    this.#works = works;
    this.#request = request;
    this.#reply = reply;
    const { resolver } = parts;
    const resolve: typeof resolver.resolve = async (...asked) => {
      const post = await resolver.resolve(...asked);
      this.#addresses.set(post.id, post.url);
      return post;
    };
    this.#parts = { ...parts, resolver: { ...resolver, resolve } };
  }

  #readerOf(work: ZipWork) {
    const { visitor, disconnected: signal, fileNaming } = this.#request;
    return { visitor, signal, naming: { ...fileNaming, n: this.#works.indexOf(work) + 1 } };
  }

  /** @throws Failure when none of the files is available: the response is then an error and no zip */
  async send(): Promise<FastifyReply> {
    const files = this.#files(await this.#plan());
    const first = await files.next();
    if (first.done) throw this.#lost[0]?.failure ?? new Failure('option_missing');
    const all = async function* () {
      yield first.value;
      yield* files;
    };
    const headers = {
      ...fileHeaders(zipName(this.#parts.configuration.brand, this.#works), 'application/zip'),
      // Browsers then show the progress.
      ...(this.#length !== null && { 'content-length': this.#length }),
    };
    try {
      return await sendBytes(this.#request, this.#reply, 200, headers, zipFiles(all()));
    } finally {
      await files.return();
    }
  }

  #lose({ post }: ZipWork, failure: Failure): void {
    const address = this.#addresses.get(post.id) ?? addressOf(post, this.#parts.resolver.links);
    this.#lost.push({ failure, address });
  }

  /** The available files, as far as known, in the order of the tickets. */
  async #plan(): Promise<Planned[]> {
    const plan: Planned[] = [];
    const { disconnected: signal } = this.#request;
    const looks = inOrder(this.#works, postsAtOnce, signal, (work) =>
      lookAhead(work, this.#readerOf(work), this.#parts),
    );
    for await (const outlook of looks) {
      const work = this.#works[plan.length + this.#lost.length] as ZipWork;
      if (outlook instanceof Failure) this.#lose(work, outlook);
      else
        plan.push({ work, known: outlook && { ...outlook, name: distinctName(outlook.name, this.#names) } });
    }
    return plan;
  }

  /** The files of the zip. A note comes last where one is missing. Ends at once when none is available. */
  async *#files(plan: readonly Planned[]): AsyncGenerator<ZipEntry, void, void> {
    let isEmpty = true;
    for (const [at, { work, known }] of plan.entries()) {
      // The current file can be stopped, and a file that is taken down before it is reached is not read.
      const resolver = this.#parts.runningDownloads.track(work.post, this.#reply.raw, this.#parts.resolver);
      try {
        for await (const file of openFiles(work, this.#readerOf(work), { ...this.#parts, resolver })) {
          try {
            if (isEmpty) this.#length = this.#lengthOf(plan.slice(at));
            isEmpty = false;
            const { name = distinctName(file.name, this.#names), size } = known ?? { size: file.size };
            yield { name, size, modified: file.modified, stream: file.stream };
          } finally {
            file.close();
          }
        }
      } catch (thrown) {
        this.#request.disconnected.throwIfAborted();
        const isLost = thrown instanceof Failure && thrown.key !== 'stopping' && this.#length === null;
        if (!isLost) throw thrown;
        this.#lose(work, thrown);
      }
    }
    const note = this.#note();
    if (!isEmpty && note !== null) yield note;
  }

  /** Exact length of the zip; null when a size is unknown. @param left the files from the first available one on */
  #lengthOf(left: readonly Planned[]): number | null {
    const note = this.#note();
    const files = left.map(({ known }) => known ?? { name: '', size: null });
    return zipLength(note === null ? files : [...files, note]);
  }

  /** The note in a zip with missing files, in the visitor's language. */
  #note(): ZipEntry | null {
    if (this.#lost.length === 0) return null;
    const locale = localeOf(this.#request);
    const errors = translateTo(locale, 'errors');
    const lines = this.#lost.map(({ address, failure }) => `${address}\n${errors(failure.key)}\n`);
    const text = `${translateTo(locale, 'several-links')('zip.missing')}\n\n${lines.join('\n')}`;
    const bytes = Buffer.from(text);
    return { name: noteName, modified: new Date(0), size: bytes.length, stream: slices(bytes) };
  }
}

/**
 * Sends the files of several tickets as one zip, each as it comes. A note names files that are unavailable before their
 * first byte; a file that breaks off for good breaks off the zip.
 * @throws Failure when none of the files is available
 */
export const sendZip = (
  works: readonly ZipWork[],
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerDependencies,
): Promise<FastifyReply> => new Zip(works, request, reply, parts).send();
