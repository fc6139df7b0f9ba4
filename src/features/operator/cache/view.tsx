import { ActionButton, ActionForm, Field, Section, Submit } from '../../../server/desk/components.tsx';
import type { CacheData } from './page.ts';

/** Pages that are kept. */
export function CacheView({ data: { kept } }: { data: CacheData }) {
  return (
    <>
      <p>
        {kept} pages are kept, each form of a page (language, device, compression) by itself. What changes by
        imports is dropped without being asked.
      </p>
      <Section title="One address">
        <ActionForm action="one">
          <Field
            name="address"
            label="Address"
            hint="With its language: /de/posts/7"
            inputMode="url"
            maxLength={2000}
            dir="ltr"
            required
          />
          <Submit>Drop it</Submit>
        </ActionForm>
      </Section>
      <Section title="All">
        <p>Each page is rendered again for the next visitor who asks for it.</p>
        <ActionButton action="all">Drop all pages</ActionButton>
      </Section>
    </>
  );
}
