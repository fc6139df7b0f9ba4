import type { ReactNode } from 'react';
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

interface FeaturesProps extends SectionProps<FeatureEntry> {
  /** Stands beside the words, in the place of a picture for each. */
  drawing: ReactNode;
}

export function Features({ section, drawing }: FeaturesProps) {
  const { title, entries } = section;
  if (entries.length === 0) return null;
  const isDrawn = drawing !== null;
  return (
    <section
      className={isDrawn ? 'container features features-drawn' : 'container features'}
      aria-labelledby="features"
    >
      {drawing}
      <div>
        <h2 id="features">{title}</h2>
        <ul>
          {entries.map((entry) => (
            <li key={entry.title}>
              {!isDrawn && <Icon name={entry.icon} />}
              <h3>{entry.title}</h3>
              <p>{entry.text}</p>
            </li>
          ))}
        </ul>
      </div>
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
