import { type ComponentType, memo, Suspense } from 'react';
import type { ToolPartData } from '../../loaders/services.ts';

/**
 * A feature's addition to a downloader page, between the steps and the questions. The default export of
 * `features/NAME/browser/tool-page.tsx`; every page loads that file, so its `Part` is lazy. The server part provides
 * the data (`toolParts`); a page without data shows nothing.
 */
export type ToolPart = {
  [Name in keyof ToolPartData]: {
    readonly name: Name;
    readonly Part: ComponentType<{ readonly data: ToolPartData[Name] }>;
  };
}[keyof ToolPartData];

/** A part with matching name and data, for a name that is not known statically. */
interface AnyPart {
  readonly name: string;
  readonly Part: ComponentType<{ readonly data: unknown }>;
}

let provided: readonly AnyPart[] = [];

/** Says which parts there are. To be called before the first page is shown. */
export function provideToolParts(parts: readonly ToolPart[]): void {
  provided = parts as readonly AnyPart[];
}

/**
 * The features' parts on the page. React removes what the server rendered of a part that is rendered again before its
 * code has arrived: that must not happen with each rendering of the page.
 */
export const ToolParts = memo(({ data }: { data: Partial<ToolPartData> }) => {
  const given: Readonly<Record<string, unknown>> = data;
  return provided.map(
    ({ name, Part }) =>
      name in given && (
        <Suspense key={name}>
          <Part data={given[name]} />
        </Suspense>
      ),
  );
});
