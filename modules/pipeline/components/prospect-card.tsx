import { useDraggable } from '@dnd-kit/core'
import { Form, useNavigation } from '@remix-run/react'
import { CircleAlert, Clock, UserCheck } from 'lucide-react'
import { memo, type SyntheticEvent } from 'react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { MenuButton } from '#app/ui/components/row-menu.tsx'
import { dollarsOf, toneOf } from '../format.ts'

export type CardData = {
  id: number
  name: string
  /** 'Founder, Saffron Table'. */
  about: string
  stageId: number
  /** Cents. */
  value: number
  probability: number
  followUp: { words: string; late: boolean } | null
  rank: number
}

type Shown = { card: CardData; here: string; converts: boolean }

/** A card that can be taken to another place: by mouse and touch anywhere on it, by keyboard on its name. */
export const ProspectCard = memo(function ProspectCard({
  card,
  here,
  converts,
  at,
  of,
}: Shown & { at: number; of: number }) {
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: `prospect ${card.id}`,
  })
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      aria-posinset={at + 1}
      aria-setsize={of}
      className={`pcard-place ${isDragging ? 'is-lifted' : ''}`}
      data-prospect={card.id}
    >
      <Face
        card={card}
        here={here}
        converts={converts}
        nameRef={setActivatorNodeRef}
        described={attributes['aria-describedby']}
      />
    </li>
  )
})

/** The card in the hand. */
export function LiftedCard(shown: Shown) {
  return (
    <div className="pcard-place">
      <Face {...shown} lifted />
    </div>
  )
}

function Face({
  card,
  here,
  converts,
  lifted = false,
  nameRef,
  described,
}: Shown & { lifted?: boolean; nameRef?: (element: HTMLElement | null) => void; described?: string }) {
  const { id, name, about, value, probability, followUp } = card
  const edit = andMore(here, { dialog: 'edit', prospect: String(id) })
  return (
    <article className={`pcard ${lifted ? 'is-dragging' : ''}`}>
      <div className="flex items-start gap-2.5">
        <Avatar name={name} />
        <div className="min-w-0 flex-1">
          <h3 className="text-base font-semibold">
            <Link
              ref={nameRef}
              to={edit}
              preventScrollReset
              draggable={false}
              aria-describedby={described}
              className="block truncate rounded-sm hover:underline"
            >
              {name}
            </Link>
          </h3>
          <div className="truncate text-sm text-ink-3">{about || '\u00a0'}</div>
        </div>
        <span className="contents" {...still}>
          <MenuButton row={{ id, name }} href={edit} className="-mr-1.5 -mt-1" />
        </span>
      </div>
      <div className="flex items-center gap-2">
        <span className="num font-semibold">{dollarsOf(value)}</span>
        <Badge tone={toneOf(probability)} plain>
          {probability}%
        </Badge>
        {followUp && (
          <span
            className={`ml-auto flex min-w-0 items-center gap-1.5 truncate text-sm ${followUp.late ? 'text-danger-text' : 'text-ink-3'}`}
          >
            {followUp.late ? <CircleAlert className="i size-3.5" /> : <Clock className="i size-3.5" />}
            <span className="sr-only">Follow up: </span>
            {followUp.words}
          </span>
        )}
      </div>
      {converts && <Convert id={id} here={here} name={name} />}
    </article>
  )
}

function Convert({ id, here, name }: { id: number; here: string; name: string }) {
  const navigation = useNavigation()
  const busy = navigation.formData?.get('intent') === 'convert' && navigation.formData.get('id') === String(id)
  return (
    <Form method="post" action={here} preventScrollReset {...still}>
      <input type="hidden" name="intent" value="convert" />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="sm" icon={UserCheck} className="w-full" busy={busy}>
        Convert to Client<span className="sr-only">: {name}</span>
      </Button>
    </Form>
  )
}

/** What is pressed here is not the beginning of a drag. */
const stop = (event: SyntheticEvent) => event.stopPropagation()
const still = { onMouseDown: stop, onTouchStart: stop, onKeyDown: stop }

/** An address with more behind the question mark. */
export function andMore(address: string, more: Record<string, string>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(more)}`
}
