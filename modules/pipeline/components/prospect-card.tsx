import { useCurrency } from '#app/ui/components/currency.ts'
import { formatMoney } from '#app/lib/money.ts'
import { useDraggable } from '@dnd-kit/core'
import { Form } from '@remix-run/react'
import { CircleAlert, Clock, UserCheck } from 'lucide-react'
import { memo, type SyntheticEvent } from 'react'
import { withQuery } from '#app/lib/url.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import { probabilityTone, type FollowUpLabel } from '../format.ts'

export type CardData = {
  id: number
  name: string
  /** Title and company: 'Founder, Saffron Table'. */
  about: string
  stageId: number
  /** Cents. */
  value: number
  /** Percent. */
  probability: number
  followUp: FollowUpLabel | null
  /** The position in its stage, from 0, regardless of filters. */
  rank: number
}

type CardProps = { card: CardData; boardUrl: string; canConvert: boolean }

/** A card that can be dragged: by mouse and touch anywhere on it, by keyboard on its name. */
export const ProspectCard = memo(function ProspectCard({
  card,
  boardUrl,
  canConvert,
  index,
  count,
}: CardProps & { index: number; count: number }) {
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: `prospect ${card.id}`,
  })
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={`pcard-place ${isDragging ? 'is-lifted' : ''}`}
      data-prospect={card.id}
    >
      <CardContent
        card={card}
        boardUrl={boardUrl}
        canConvert={canConvert}
        nameRef={setActivatorNodeRef}
        describedBy={attributes['aria-describedby']}
      />
    </li>
  )
})

/** The card under the pointer while it is dragged. */
export function CardPreview(props: CardProps) {
  return (
    <div className="pcard-place">
      <CardContent {...props} isPreview />
    </div>
  )
}

/** On its own, since dnd-kit renders all cards when a drag begins or ends. */
const CardContent = memo(function CardContent({
  card,
  boardUrl,
  canConvert,
  isPreview = false,
  nameRef,
  describedBy,
}: CardProps & { isPreview?: boolean; nameRef?: (element: HTMLElement | null) => void; describedBy?: string }) {
  const { id, name, about } = card
  const editUrl = withQuery(boardUrl, { dialog: 'edit', prospect: String(id) })
  return (
    <article className={`pcard ${isPreview ? 'is-dragging' : ''}`}>
      <div className="flex items-start gap-2.5">
        <Avatar name={name} />
        <div className="min-w-0 flex-1">
          <h3 className="text-base font-semibold">
            <a
              ref={nameRef}
              href={editUrl}
              data-row=""
              draggable={false}
              aria-describedby={describedBy}
              className="block truncate rounded-sm hover:underline"
            >
              {name}
            </a>
          </h3>
          <div className="truncate text-sm text-ink-3">{about || '\u00a0'}</div>
        </div>
        <span className="contents" {...notDraggable}>
          <MenuButton row={{ id, name }} href={editUrl} className="-mr-1.5 -mt-1" />
        </span>
      </div>
      <CardFacts card={card} />
      {canConvert && <ConvertForm card={card} boardUrl={boardUrl} />}
    </article>
  )
})

function CardFacts({ card: { value, probability, followUp } }: { card: CardData }) {
  const currency = useCurrency()
  return (
    <div className="flex items-center gap-2">
      <span className="num font-semibold">{formatMoney(value, currency, { cents: 'needed' })}</span>
      <Badge tone={probabilityTone(probability)} plain>
        {probability}%
      </Badge>
      {followUp && (
        <span
          className={`ml-auto flex min-w-0 items-center gap-1.5 truncate text-sm ${
            followUp.isOverdue ? 'text-danger-text' : 'text-ink-3'
          }`}
        >
          {followUp.isOverdue ? <CircleAlert className="i size-3.5" /> : <Clock className="i size-3.5" />}
          <span className="sr-only">Follow up: </span>
          {followUp.text}
        </span>
      )}
    </div>
  )
}

function ConvertForm({ card: { id, name, stageId }, boardUrl }: Omit<CardProps, 'canConvert'>) {
  return (
    <Form method="post" action={boardUrl} preventScrollReset className="grid" {...notDraggable}>
      <input type="hidden" name="intent" value="convert" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="stageId" value={stageId} />
      <Button type="submit" size="sm" icon={UserCheck} className="w-full">
        Convert to Client<span className="sr-only">: {name}</span>
      </Button>
    </Form>
  )
}

/** Events of these elements must not start a drag. */
const stopPropagation = (event: SyntheticEvent) => event.stopPropagation()
const notDraggable = { onMouseDown: stopPropagation, onTouchStart: stopPropagation, onKeyDown: stopPropagation }
