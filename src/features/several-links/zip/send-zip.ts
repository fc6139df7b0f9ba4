import type { FastifyReply, FastifyRequest } from 'fastify';
import { inOrder } from '../../../downloader/async/in-order.ts';
import { addressOf } from '../../../downloader/links/recognise.ts';
import { Failure } from '../../../failures/failures.ts';
import { translateTo } from '../../../i18n/catalogue.ts';
import { fileHeaders } from '../../../web/endpoints/files/sending.ts';
import { postsAtOnce } from '../../../web/pages/tool/state/resolve-all.ts';
import { localeOf } from '../../../web/server/errors.ts';
import type { ServerDependencies } from '../../../web/server/parts.ts';
import { distinctName, lookAhead, type Outlook, openFiles, type ZipWork, zipName } from './zip-files.ts';
import { archiveLength } from './zip-format.ts';
import { sendPieces, ZipSender } from './zip-sender.ts';

interface Lost {
  readonly failure: Failure;
  /** Of its post, with the author's name where the post was read. */
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
  /** Of the posts that were read, by their ids. */
  readonly #addresses = new Map<string, string>();
  readonly #names = new Set([noteName]);
  #sender: ZipSender | null = null;
  /** The answer's length has been promised. */
  #isPromised = false;

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

  get #reader() {
    const { visitor, disconnected: signal } = this.#request;
    return { visitor, signal };
  }

  /** @throws Failure when none of the files is available: the response is then an error and no zip */
  async send(): Promise<FastifyReply> {
    const plan = await this.#plan();
    try {
      for (const [at, planned] of plan.entries()) await this.#add(planned, plan.slice(at));
      await this.#end();
    } catch (thrown) {
      if (this.#sender === null) throw thrown;
      // A clean end would be a wrong file that looks whole.
      this.#reply.raw.destroy();
      if (!this.#request.disconnected.aborted) this.#request.log.warn({ err: thrown }, 'zip broke off');
    }
    return this.#reply;
  }

  #lose({ post }: ZipWork, failure: Failure): void {
    const address = this.#addresses.get(post.id) ?? addressOf(post, this.#parts.resolver.links);
    this.#lost.push({ failure, address });
  }

  /** The available files, as far as known, in the order of the tickets. */
  async #plan(): Promise<Planned[]> {
    const plan: Planned[] = [];
    const { signal } = this.#reader;
    const looks = inOrder(this.#works, postsAtOnce, signal, (work) =>
      lookAhead(work, this.#reader, this.#parts),
    );
    for await (const outlook of looks) {
      const work = this.#works[plan.length + this.#lost.length] as ZipWork;
      if (outlook instanceof Failure) this.#lose(work, outlook);
      else
        plan.push({ work, known: outlook && { ...outlook, name: distinctName(outlook.name, this.#names) } });
    }
    return plan;
  }

  /** Adds the files of one ticket. @param left this one and those after it */
  async #add({ work, known }: Planned, left: readonly Planned[]): Promise<void> {
    const { raw } = this.#reply;
    // The current file can be stopped, and a file that is taken down before it is reached is not read.
    const resolver = this.#parts.runningDownloads.track(work.post, raw, this.#parts.resolver);
    try {
      for await (const file of openFiles(work, this.#reader, { ...this.#parts, resolver })) {
        try {
          this.#sender ??= this.#begin(left);
          const { name = distinctName(file.name, this.#names), size } = known ?? { size: file.size };
          await this.#sender.add({ name, size, modified: file.modified }, file.send);
        } finally {
          file.close();
        }
      }
    } catch (thrown) {
      this.#reader.signal.throwIfAborted();
      const isLost = thrown instanceof Failure && thrown.key !== 'stopping' && !this.#isPromised;
      if (!isLost) throw thrown;
      this.#lose(work, thrown);
    }
  }

  /** Begins the response. It states its length when every size is known: browsers then show the progress. */
  #begin(left: readonly Planned[]): ZipSender {
    const { configuration } = this.#parts;
    const files = left.map(({ known }) => known && { name: Buffer.from(known.name), size: known.size });
    const isKnown = files.every((file) => file !== null);
    const note = this.#note();
    if (isKnown && note !== null) files.push({ name: Buffer.from(noteName), size: note.length });
    this.#isPromised = isKnown;
    this.#reply.headers({
      ...fileHeaders(zipName(configuration.name, this.#works), 'application/zip'),
      ...(isKnown && { 'content-length': archiveLength(files) }),
    });
    const { raw } = this.#reply.hijack();
    raw.writeHead(200, this.#reply.getHeaders() as Record<string, string>);
    raw.flushHeaders();
    return new ZipSender(raw);
  }

  async #end(): Promise<void> {
    const note = this.#note();
    if (this.#sender === null) throw this.#lost[0]?.failure ?? new Failure('option_missing');
    if (note !== null) {
      const file = { name: noteName, size: note.length, modified: new Date(0) };
      const once = async function* () {
        yield note;
      };
      await this.#sender.add(file, (entry) => sendPieces(once(), entry, this.#reader.signal));
    }
    this.#sender.end();
  }

  /** The note in a zip with missing files, in the visitor's language. */
  #note(): Buffer | null {
    if (this.#lost.length === 0) return null;
    const locale = localeOf(this.#request);
    const errors = translateTo(locale, 'errors');
    const lines = this.#lost.map(({ address, failure }) => `${address}\n${errors(failure.key)}\n`);
    return Buffer.from(`${translateTo(locale, 'several-links')('zip.missing')}\n\n${lines.join('\n')}`);
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
