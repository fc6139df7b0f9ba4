import { type FormatId, startWith, useStart } from '../../../browser/device/one-tap.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { Icon } from '../../../ui/icon.tsx';
import { isSound } from '../files/choose-options.ts';
import type { Formats } from '../introduction/introduction.ts';
import { Boat } from './boat.tsx';

const kindOf = (id: FormatId) => (id === 'photos' ? 'photos' : isSound(id) ? 'sound' : 'video');

/**
 * The ferry, moored at the link box, and the crates that it can bring. A pressed crate is the one that is saved as soon
 * as a post is found. Without scripts they only say what there is.
 */
export function Dock({ formats }: { formats: Formats }) {
  const isMounted = useMounted();
  const start = useStart();
  return (
    <div className="dock">
      <Boat />
      <ul className="crates" aria-label={formats.label}>
        {formats.entries.map(({ name, id }) => (
          <li key={id} className={`crate crate-${kindOf(id)}`}>
            {isMounted ? (
              <button
                type="button"
                aria-pressed={start === id}
                onClick={() => startWith(start === id ? null : id)}
              >
                {start === id && <Icon name="check" />}
                <bdi>{name}</bdi>
              </button>
            ) : (
              <bdi>{name}</bdi>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
