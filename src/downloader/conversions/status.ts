import { isFailureKey } from '../../failures/failures.ts';
import type { ConversionState } from '../../stores/contracts/conversion-store.ts';
import type { StoredFacts } from '../../stores/contracts/file-store.ts';
import type { ConversionStatus } from './contracts.ts';
import { lacksOf } from './lacks.ts';

/** The state from the store; without one, whether a finished file exists. */
export async function statusOf(
  state: ConversionState | null,
  findStored: () => Promise<StoredFacts | null>,
): Promise<ConversionStatus> {
  // Another instance may be of another version.
  if (state !== null)
    return {
      ...state,
      error: state.error === null || isFailureKey(state.error) ? state.error : 'internal',
    };
  const kept = await findStored();
  const common = { ahead: null, error: null };
  return kept === null
    ? { ...common, state: 'idle', fraction: 0, bytes: null }
    : {
        ...common,
        ...{ state: 'done', fraction: 1, bytes: kept.length },
        ...lacksOf(kept.etag),
      };
}
