import { useNavigation } from '@remix-run/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { inTurn } from '#app/ui/dnd/mutation-queue.ts'
import { useReload } from '#app/ui/navigation/revalidate.ts'
import { useToast } from '#app/ui/components/toast.tsx'
import { signInBeside } from '#app/ui/forms/offline-action.ts'
import type { CardData } from './prospect-card.tsx'
import type { StageData } from './stage-column.tsx'

export type Columns = Map<number, CardData[]>
/** A card to a stage, before another card or (null) behind all of them. */
type Move = { key: number; card: CardData; stageId: number; before: number | null; saved: boolean }

const refused = { tone: 'error', title: 'Error' } as const

/**
 * The cards by stage, as they are and as they are being moved: a move shows at once, goes to the server behind those before
 * it, and is taken back with a toast when it is refused.
 */
export function useMoves(stages: StageData[], cards: CardData[], filtered: boolean) {
  const [moves, setMoves] = useState<Move[]>([])
  const { again } = useFresh(cards, setMoves)
  const toast = useToast()
  const count = useRef(0)
  const grouped = useMemo(() => group(stages, cards), [stages, cards])
  const columns = useMemo(() => moves.reduce(applied, grouped), [grouped, moves])
  const latest = useRef(columns)
  latest.current = columns

  /** Puts a card at `index` of a stage, the card itself not counted. */
  const move = useCallback(
    (card: CardData, stageId: number, index: number) => {
      const others = (latest.current.get(stageId) ?? []).filter(({ id }) => id !== card.id)
      const next: Move = { key: ++count.current, card, stageId, before: others[index]?.id ?? null, saved: false }
      const position = filtered ? rankAmong(others, index, card, stageId) : index
      latest.current = applied(latest.current, next)
      setMoves((all) => [...all, next])
      inTurn(async (signal) => {
        const answer = await send(signal, 'PATCH', `/api/prospects/${card.id}`, {
          stageId,
          ...(position === null ? {} : { position }),
        })
        if (answer.ok) {
          setMoves((all) => all.map((one) => (one.key === next.key ? { ...one, saved: true } : one)))
        } else {
          setMoves((all) => all.filter((one) => one.key !== next.key))
          toast({ ...refused, text: whyNot(card, answer), ...(answer.status === 401 ? { link: signInBeside } : {}) })
        }
        again()
      })
    },
    [filtered, again, toast],
  )
  return { columns, move, again }
}

/** As `useMoves`, for the order of the stages: one order after the other. */
export function useStageOrder(stages: StageData[], again: () => void) {
  const [wanted, setWanted] = useState<number[] | null>(null)
  const toast = useToast()
  const waiting = useRef(0)
  // What is loaded while an order is still on its way is older than it.
  useEffect(() => void (waiting.current || setWanted(null)), [stages])
  const ordered = useMemo(() => {
    const places = wanted?.map((id) => stages.find((stage) => stage.id === id)).filter((stage) => stage !== undefined)
    return places?.length === stages.length ? places : stages
  }, [stages, wanted])

  const reorder = useCallback(
    (ids: number[]) => {
      setWanted(ids)
      waiting.current++
      inTurn(async (signal) => {
        const { ok } = await send(signal, 'POST', '/api/pipeline/stages/reorder', {
          stages: ids.map((id, order) => ({ id, order })),
        })
        waiting.current--
        if (!ok) {
          setWanted(null)
          toast({ ...refused, text: 'Failed to reorder stages. Please try again.' })
        }
        if (!waiting.current) again()
      })
    },
    [again, toast],
  )
  return { ordered, reorder }
}

const channel = 'pipeline'

/** Loads the board anew after a move, when the window is looked at again, and when another tab says that it changed something. */
function useFresh(cards: CardData[], setMoves: (change: (all: Move[]) => Move[]) => void) {
  const reload = useReload()
  const others = useRef<BroadcastChannel | null>(null)

  // What was saved is in what was loaded since.
  useEffect(
    () => setMoves((all) => (all.some(({ saved }) => saved) ? all.filter(({ saved }) => !saved) : all)),
    [cards, setMoves],
  )

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && reload()
    others.current = new BroadcastChannel(channel)
    others.current.onmessage = look
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      others.current?.close()
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [reload])

  // A form of this tab was sent, and what it led to is here.
  const { state: going, formMethod } = useNavigation()
  const sent = useRef(false)
  useEffect(() => {
    if (formMethod === 'POST') sent.current = true
    if (going !== 'idle' || !sent.current) return
    sent.current = false
    others.current?.postMessage('changed')
  }, [going, formMethod])

  const again = useCallback(() => {
    reload()
    others.current?.postMessage('changed')
  }, [reload])
  return { again }
}

function group(stages: StageData[], cards: CardData[]): Columns {
  const columns: Columns = new Map(stages.map(({ id }) => [id, []]))
  for (const card of cards) columns.get(card.stageId)?.push(card)
  return columns
}

function applied(columns: Columns, { card, stageId, before }: Move): Columns {
  if (!columns.has(stageId)) return columns
  const next = new Map(columns)
  let found: CardData | undefined
  for (const [id, cards] of columns) {
    const there = cards.find((one) => one.id === card.id)
    if (!there) continue
    found = there
    next.set(
      id,
      cards.filter((one) => one !== there),
    )
  }
  // One that is gone meanwhile is not brought back by having been moved.
  if (!found) return columns
  const target = [...(next.get(stageId) ?? [])]
  const at = target.findIndex(({ id }) => id === before)
  target.splice(at < 0 ? target.length : at, 0, found.stageId === stageId ? found : { ...found, stageId })
  next.set(stageId, target)
  return next
}

/** The place among all cards of the stage, where a filter hides some of them; null: behind all. */
function rankAmong(others: CardData[], index: number, card: CardData, stageId: number): number | null {
  const [before, after] = [others[index - 1], others[index]]
  const rank = after ? after.rank : before ? before.rank + 1 : null
  if (rank === null) return null
  return card.stageId === stageId && card.rank < rank ? rank - 1 : rank
}

type Answer = { ok: boolean; status: number; said: string }

/** `said`: why the server refused. One that can't be reached refuses with the status 0. */
async function send(signal: AbortSignal, method: string, path: string, body: object): Promise<Answer> {
  try {
    const answer = await fetch(path, {
      signal,
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { ok, status } = answer
    const { message = '' }: { message?: string } = status >= 400 && status < 500 ? await answer.json() : {}
    return { ok, status, said: message }
  } catch {
    return { ok: false, status: 0, said: '' }
  }
}

function whyNot(card: CardData, { status, said }: Answer): string {
  if (status === 404) return gone(card, said)
  if (status === 401) return 'User session invalid. Please refresh the page.'
  // A refusal has a reason that the coach can do something about; a failure has none.
  return status >= 400 && status < 500
    ? `Failed to update prospect: ${status} - ${said}`
    : 'Failed to move prospect. Please try again.'
}

function gone({ name }: CardData, missing: string): string {
  return missing.startsWith('Stage')
    ? `This stage was deleted meanwhile. ${name} is back where it was.`
    : `${name} is not on the board any more: deleted or converted meanwhile. Look in the trash or among the clients.`
}
