import { type MouseEvent, useRef } from 'react';
import { useSwipe } from '../../../site/overlays/swipe.ts';
import { IconButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { ItemLink, ItemPicture } from '../items/item-link.tsx';
import type { Card } from '../items/page-items.ts';

interface SideCardProps {
  readonly card: Card;
  /** 0 is the lowest. */
  readonly place: number;
  readonly isLeaving: boolean;
  /** Whether it is hidden for another element. */
  readonly isAway: boolean;
  onClose(event: MouseEvent): void;
}

/** A picture, its origin, a title and two lines, all with the same target, and a close button. */
export function SideCard({ card, place, isLeaving, isAway, onClose }: SideCardProps) {
  const { id, look, icon, label, title, description, close } = card;
  const button = useRef<HTMLButtonElement>(null);
  // Every way of closing triggers the button's click, which statistics count.
  const { offset, handlers } = useSwipe(() => button.current?.click());
  return (
    <li
      id={id}
      className={`side-card side-card-${look}`}
      data-place={place}
      inert={isLeaving || isAway}
      data-popup=""
      style={{ translate: offset === 0 ? undefined : `${offset}px` }}
      {...handlers}
    >
      <span className="side-card-icon">
        <ItemPicture item={card} alt="">
          <Icon name={icon} />
        </ItemPicture>
      </span>
      <div className="side-card-text">
        <p className="side-card-label" id={`${id}-label`}>
          {label}
        </p>
        <ItemLink item={card} className="side-card-title" aria-describedby={`${id}-label ${id}-about`}>
          {title}
        </ItemLink>
        <p className="side-card-about" id={`${id}-about`}>
          {description}
        </p>
      </div>
      <IconButton
        ref={button}
        className="side-card-close"
        icon="close"
        label={close}
        data-vars-banner="close"
        onClick={onClose}
      />
    </li>
  );
}
