import { type ComponentType, Suspense } from 'react';
import type { ToolPartData } from '../../loaders/services.ts';

/**
 * What a feature adds to a downloader page, between the steps and the questions. The default export of
 * `features/NAME/browser/tool-page.tsx`; every page loads that file, so its `Part` is loaded later. The server's part of
 * the feature gives the data (`toolParts`); a page without data shows nothing of it.
 */
export type ToolPart = {
  [Name in keyof ToolPartData]: {
    readonly name: Name;
    readonly Part: ComponentType<{ readonly data: ToolPartData[Name] }>;
  };
}[keyof ToolPartData];

/** A part whose name and data fit, for a name that is not known beforehand. */
interface AnyPart {
  readonly name: string;
  readonly Part: ComponentType<{ readonly data: unknown }>;
}

let provided: readonly AnyPart[] = [];

/** Says which parts there are. To be called before the first page is shown. */
export function provideToolParts(parts: readonly ToolPart[]): void {
  provided = parts as readonly AnyPart[];
}

/** What features show on the page. */
export function ToolParts({ data }: { data: Partial<ToolPartData> }) {
  const given: Readonly<Record<string, unknown>> = data;
  return provided.map(
    ({ name, Part }) =>
      name in given && (
        <Suspense key={name}>
          <Part data={given[name]} />
        </Suspense>
      ),
  );
}
