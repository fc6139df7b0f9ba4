import { type RefObject, useEffect, useState } from 'react';
import { useMounted } from '../../browser/mounted.ts';
import { useDocument } from '../../document/document-context.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import { useTranslate } from '../../translation.tsx';
import { Button } from '../../ui/controls.tsx';
import { Card, Skeleton } from '../../ui/surfaces.tsx';
import type { LinkField } from './link-box/link-box.tsx';
import { Recent } from './link-box/recent.tsx';
import type { FileHelp } from './loader.ts';
import type { ToolPageData } from './page-data.ts';
import { laterOutcome } from './result/later-outcome.tsx';
import { laterList } from './state/several-links.tsx';
import type { ToolState } from './state/tool-state.ts';
import type { Actions } from './state/use-actions.ts';

interface OutcomeAreaProps {
  page: ToolPageData;
  help: FileHelp;
  state: ToolState;
  actions: Actions;
  field: LinkField;
  area: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  onAnnounce(message: string): void;
}

/** The outcome of a link: its post's files, a list of posts, or a placeholder while it is looked up; and recent links. */
export function OutcomeArea({ page, state, actions, field, ...props }: OutcomeAreaProps) {
  const isMounted = useMounted();
  const site = useDocument();
  const { onAnnounce } = props;
  return (
    <section
      ref={props.area}
      className="container outcome"
      aria-busy={state.kind === 'resolving'}
      data-keep-clear=""
    >
      {(state.kind === 'ready' || (isMounted && laterOutcome.isLoaded())) && (
        <laterOutcome.Part
          result={state.kind === 'ready' ? state.result : null}
          list={state.kind === 'list' ? state.text : null}
          isAsked={!state.given}
          buttons={page.buttons}
          others={page.others}
          help={props.help}
          anotherHref={page.path}
          heading={props.heading}
          onAnother={actions.startOver}
          onLookAgain={actions.lookAgain}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'list' && (
        <laterList.Part
          key={state.text}
          text={state.text}
          links={state.links}
          source={state.source ?? null}
          action={page.path}
          asking={page.asking}
          buttons={page.buttons}
          onAnother={actions.startOver}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'resolving' && (
        <Waiting key={state.text} onAnnounce={onAnnounce} onCancel={actions.stop} />
      )}
      {/* Filled by a feature; React renders nothing in it. */}
      {state.kind === 'ready' && <LayoutParts place="below-result" page={site} />}
      {state.kind !== 'resolving' && (
        <Recent
          shown={state.kind === 'ready' ? state.result.post.url : null}
          onChoose={actions.enter}
          onAnnounce={onAnnounce}
          onEmpty={() => field.focus({ preventScroll: true })}
        />
      )}
    </section>
  );
}

/** After this long, visitors doubt that anything happens. */
const slowMs = 4_000;

/** A placeholder in the result's shape; when it takes long, it explains why and offers to cancel. */
function Waiting(props: { onCancel(): void; onAnnounce(text: string): void }) {
  const t = useTranslate();
  const { onAnnounce } = props;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSlow(true);
      onAnnounce(t('status.slow'));
    }, slowMs);
    return () => clearTimeout(timer);
  }, [onAnnounce, t]);
  return (
    <Card className="result result-skeleton">
      <div className="result-cover">
        <Skeleton className="skeleton-cover" />
      </div>
      <div className="result-about">
        <p className="result-waiting">{t('status.resolving')}</p>
        <Skeleton className="skeleton-line" />
        <Skeleton className="skeleton-line skeleton-short" />
      </div>
      <div className="result-options">
        {slow ? (
          <div className="result-slow">
            <p>{t('status.slow')}</p>
            <Button strength="plain" icon="close" className="result-cancel" onClick={props.onCancel}>
              {t('conversion.cancel')}
            </Button>
          </div>
        ) : (
          <Skeleton className="skeleton-button" />
        )}
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-list" />
      </div>
    </Card>
  );
}
