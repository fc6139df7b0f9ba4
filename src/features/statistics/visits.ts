import { createHmac, createSecretKey, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { WhoCounts } from '../../server/http/limits/who-counts.ts';
import { randomName } from '../../site/consent/random-name.ts';

/** Cookies by name, as they were sent. */
export type Cookies = Readonly<Record<string, string | undefined>>;

/** What a report says of its visitor. */
interface ReportedNames {
  readonly token_id?: string | undefined;
  readonly tmp_token_id?: string | undefined;
  readonly s_id?: string | undefined;
  readonly doc_id?: string | undefined;
  /** Milliseconds since 1970. */
  readonly visit_timestamp?: number | undefined;
}

/** A request's statements about its visitor, and which of them are new. */
export type Visit = Awaited<ReturnType<ReturnType<typeof createVisitReader>>>;

/**
 * Reads the visit of a report: names in the report, else those of the cookies, else new ones.
 *
 * A visit or a visitor counts as new without a name, which anybody can omit. So a network has a limit of new ones per
 * hour; the excluded ones are counted too. Reports count in experiments only with a name that was assigned to a counted
 * visit.
 */
export function createVisitReader({
  visitNames,
  counts,
}: {
  readonly visitNames: VisitNames;
  readonly counts: WhoCounts;
}) {
  return async (data: ReportedNames, cookies: Cookies, request: FastifyRequest, now: number) => {
    const known = (name: 'token_id' | 'tmp_token_id' | 's_id' | 'doc_id'): string | undefined =>
      data[name] ?? randomName.safeParse(cookies[name]).data;
    const docId = known('doc_id');
    const given = known('s_id');
    const isFirstOfVisit = given === undefined && (await counts('visit', request));
    const isFirstOfDay = docId === undefined && (await counts('visitor', request));
    const session = given ?? visitNames.make(isFirstOfVisit);
    return {
      // A browser's own name for a visitor is adopted: the same name means the same visitor.
      token: known('token_id') ?? known('tmp_token_id') ?? randomUUID(),
      session,
      docId: docId ?? randomUUID(),
      visitTimestamp:
        data.visit_timestamp ?? Number(/^\d{1,13}$/.exec(cookies.visit_timestamp ?? '')?.[0] ?? now),
      // Where they count.
      ...{ isFirstOfDay, isFirstOfVisit },
      /** Whether experiments count the visit. */
      isVisitCounted: visitNames.isCounted(session),
    };
  };
}

const timeBytes = 4;
const randomLength = 11;
const markLength = 11;
const bodyLength = 1 + timeBytes + randomLength;
/** A visit continues for as long as reports are made; older names do not count, so that collecting them is useless. */
const lifeS = 86_400;

/** Names visits verifiably: an invented name is distinguished from an assigned one. */
export type VisitNames = ReturnType<typeof createVisitNames>;

/**
 * Names of 36 characters (base64url): whether the visit counts (1 byte), when it began (4 bytes, seconds since 1970,
 * big-endian), a random number, and an HMAC-SHA-256 of these, cut to 88 bits.
 * @param secret the same on all instances
 * @param now milliseconds since 1970
 */
export function createVisitNames(secret: Uint8Array, now: () => number) {
  const key = createSecretKey(
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'clipferry visits', 32)),
  );
  const markOf = (body: Uint8Array) =>
    createHmac('sha256', key).update(body).digest().subarray(0, markLength);
  const nowS = () => Math.floor(now() / 1000);
  return {
    /** @param isCounted whether the visit counts; the name says so from then on */
    make(isCounted: boolean) {
      const body = Buffer.alloc(bodyLength);
      body.writeUInt8(isCounted ? 1 : 0);
      body.writeUInt32BE(nowS(), 1);
      randomBytes(randomLength).copy(body, 1 + timeBytes);
      return Buffer.concat([body, markOf(body)]).toString('base64url');
    },
    /** Whether a name was given here to a visit that counts, within a day. */
    isCounted(name: string) {
      const bytes = Buffer.from(name, 'base64url');
      if (bytes.length !== bodyLength + markLength) return false;
      const body = bytes.subarray(0, bodyLength);
      if (!timingSafeEqual(markOf(body), bytes.subarray(bodyLength))) return false;
      return body.readUInt8() === 1 && Math.abs(nowS() - body.readUInt32BE(1)) <= lifeS;
    },
  };
}
