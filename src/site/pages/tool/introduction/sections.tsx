import type { FeatureIcon } from '../../../configuration/configuration.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Disclosure } from '../../../ui/surfaces.tsx';
import type { Showcase as Shown } from './introduction.ts';

/** An illustration of a specialised page: a video in its sizes, or a sound in its formats. */
export function Showcase({ of }: { of: Shown }) {
  const { title, text, kind, examples } = of;
  return (
    <section className={`container showcase showcase-${kind}`} aria-labelledby="showcase">
      <div>
        <h2 id="showcase">{title}</h2>
        <p>{text}</p>
      </div>
      <ul>
        {examples.map((example) => (
          <li key={example.name}>
            {kind === 'sizes' ? <Frame width={example.width} /> : <Wave />}
            <strong>
              <bdi>{example.name}</bdi>
            </strong>
            <span>{example.about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A phone's picture, true to scale beside the others. */
function Frame({ width }: { width: number }) {
  const w = width / 10;
  const h = (w * 16) / 9;
  const [left, top] = [60 - w / 2, 198 - h];
  return (
    <svg viewBox="0 0 120 200" aria-hidden="true" focusable="false">
      <rect className="showcase-ghost" x="6" y="6" width="108" height="192" rx="8" />
      <rect className="showcase-frame" x={left} y={top} width={w} height={h} rx="7" />
      <path
        className="showcase-play"
        d={`M${60 - w / 9} ${198 - h / 2 - w / 7}v${(w * 2) / 7}l${w / 4} ${-w / 7}z`}
      />
    </svg>
  );
}

/** Heights of a sound's bars, as an editor draws them. */
const bars = [
  3, 6, 10, 7, 13, 18, 12, 20, 26, 17, 23, 30, 22, 14, 24, 28, 19, 11, 16, 21, 13, 8, 12, 6, 9, 4,
];

/** The waveform of a sound. */
function Wave() {
  const d = bars.map((height, at) => `M${at * 8 + 4} ${32 - height}v${height * 2}`).join('');
  return (
    <svg viewBox="0 0 208 64" aria-hidden="true" focusable="false">
      <path className="showcase-wave" d={d} />
    </svg>
  );
}

interface SectionProps<Entry> {
  section: { readonly title: string; readonly entries: readonly Entry[] };
}

export interface FeatureEntry {
  readonly icon: FeatureIcon;
  readonly title: string;
  readonly text: string;
}

export interface StepEntry {
  readonly title: string;
  readonly text: string;
}

export interface FaqEntry {
  readonly question: string;
  readonly answer: string;
}

export function Features({ section }: SectionProps<FeatureEntry>) {
  const { title, entries } = section;
  if (entries.length === 0) return null;
  return (
    <section className="container features" aria-labelledby="features">
      <h2 id="features">{title}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.title}>
            <Icon name={entry.icon} />
            <h3>{entry.title}</h3>
            <p>{entry.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Steps({ section }: SectionProps<StepEntry>) {
  const { title, entries } = section;
  if (entries.length === 0) return null;
  return (
    <section className="steps" aria-labelledby="steps">
      <div className="container">
        <h2 id="steps">{title}</h2>
        <ol>
          {entries.map((entry) => (
            <li key={entry.title}>
              <h3>{entry.title}</h3>
              <p>{entry.text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

export function Faq({ section }: SectionProps<FaqEntry>) {
  const { title, entries } = section;
  if (entries.length === 0) return null;
  return (
    <section className="container faq" aria-labelledby="faq">
      <h2 id="faq">{title}</h2>
      <div>
        {entries.map((entry, at) => (
          <Disclosure key={entry.question} id={`faq-${at + 1}`} summary={entry.question}>
            <p>{entry.answer}</p>
          </Disclosure>
        ))}
      </div>
    </section>
  );
}
