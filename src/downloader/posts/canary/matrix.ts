import type { Extractor } from '../../extractors/extractor.ts';
import { adviceFor, type MatrixRow } from '../../extractors/matrix.ts';
import type { EgressPool } from '../../network/egress/egress-pool.ts';
import type { PostReference } from '../../post/post.ts';

/** The answers to requests for a post's page through one egress. */
export interface EgressMatrix {
  /** Null where there is one egress only. */
  readonly egress: string | null;
  /** Its address without log-in. */
  readonly proxy: string | null;
  readonly matrix: readonly MatrixRow[];
  readonly advice: readonly string[];
  /** Whether the time was over before all rows were asked. */
  readonly isCut: boolean;
}

/**
 * Asks for a post's page in every manner through every egress: the egresses at once, the rows of each one after the
 * other.
 * @param limitMs for all of it
 * @throws the signal's reason
 */
export function askMatrices(
  {
    extractor,
    egresses,
  }: { readonly extractor: Pick<Extractor, 'matrix'>; readonly egresses: Pick<EgressPool, 'states'> },
  reference: PostReference,
  signal: AbortSignal,
  limitMs: number,
): Promise<readonly EgressMatrix[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const askOne = async (egress: string | null, proxy: string | null): Promise<EgressMatrix> => {
    const matrix: MatrixRow[] = [];
    const named = egress === null ? reference : { ...reference, egress };
    let isCut = false;
    try {
      for await (const row of extractor.matrix(named, limit)) matrix.push(row);
    } catch (thrown) {
      if (!limit.aborted || signal.aborted) throw thrown;
      isCut = true;
    }
    return { egress, proxy, matrix, advice: adviceFor(matrix), isCut };
  };
  const states = egresses.states();
  if (states.length === 0) return Promise.all([askOne(null, null)]);
  return Promise.all(states.map(({ id, label }) => askOne(id, label)));
}
