import type { FeatureIcon } from '../../../configuration/configuration.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Disclosure } from '../../../ui/surfaces.tsx';

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
