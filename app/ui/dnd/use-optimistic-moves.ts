import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ToastMessage } from '#app/lib/flash.ts'
import { useToast } from '../components/toast.tsx'
import { signInInNewTab } from '../forms/offline-action.ts'
import { enqueueMutation } from './mutation-queue.ts'

export type MoveRequest = { method: 'PATCH' | 'POST'; path: string; body: object }
/** Status 0: the server could not be reached. `message`: of the API, for a 4xx. */
export type MoveResponse = { ok: boolean; status: number; message: string }
/** `question`: the user must accept the move before it is saved. */
type PendingMove<Move> = { key: number; move: Move; question?: string | undefined }
export type MoveQuestion = { key: number; text: string; accept: () => void; refuse: () => void }

/** Milliseconds until data that could not be read after a move are asked for again. */
const retryMs = 10_000

type Options<State, Move> = {
  /** A constant function; it runs again whenever moves or data change. */
  apply: (state: State, move: Move) => State
  toRequest: (move: Move) => MoveRequest
  /** The question that the user must answer before the move is saved; null: none. */
  findQuestion?: (move: Move, signal: AbortSignal) => Promise<string | null>
  savedToast?: (move: Move) => ToastMessage | Promise<ToastMessage>
  failureText: (move: Move, response: MoveResponse) => string | Promise<string>
  /** Resolves with whether a reload has begun. */
  revalidate: () => Promise<boolean>
}

/**
 * Shows moves at once, on top of the `loaded` data, and sends them one after the other. A move that fails is undone
 * with a toast. `latest` is the state including moves that are not rendered yet. `question`: the user must answer it;
 * until then the move is shown and not saved.
 */
export function useOptimisticMoves<State, Move>(
  loaded: State,
  options: Options<State, Move>,
): {
  state: State
  latest: { readonly current: State }
  move: (move: Move) => void
  question: MoveQuestion | null
} {
  const [pending, setPending] = useState<PendingMove<Move>[]>([])
  const saved = useRef<number[]>([])
  /** The keys of the saved moves since when a reload has begun, so that the next data include them. */
  const [included, setIncluded] = useState<number[]>([])
  const showToast = useToast()
  const nextKey = useRef(0)
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(retry.current)
      // A reload that fails later isn't tried again.
      saved.current = []
    },
    [],
  )
  const current = useRef(options)
  current.current = options
  const { apply } = options

  const state = useMemo(() => pending.reduce((all, { move }) => apply(all, move), loaded), [apply, loaded, pending])
  const latest = useRef(state)
  latest.current = state

  // Data that are rendered together with such a key may be older than the move. Those rendered later are not.
  const rendered = useRef(included)
  useEffect(() => {
    const keys = rendered.current
    if (!keys.length) return
    saved.current = saved.current.filter((key) => !keys.includes(key))
    setPending((all) => all.filter(({ key }) => !keys.includes(key)))
    setIncluded((all) => all.filter((key) => !keys.includes(key)))
  }, [loaded])
  useEffect(() => void (rendered.current = included), [included])

  const { change, remove, save } = useMemo(() => {
    const change = (key: number, changed: Partial<PendingMove<Move>>) =>
      setPending((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)))
    const remove = (key: number) => setPending((all) => all.filter((one) => one.key !== key))
    // A transition, as Remix renders data: it can't overtake older ones.
    const markIncluded = () => startTransition(() => setIncluded([...saved.current]))
    const save = async (key: number, next: Move, signal: AbortSignal) => {
      const { toRequest, savedToast, failureText, revalidate } = current.current
      const response = await send(toRequest(next), signal)
      if (response.ok) {
        saved.current.push(key)
        if (savedToast) showToast(await savedToast(next))
      } else {
        remove(key)
        showToast(failureToast(await failureText(next, response), response))
      }
      // The next move in the queue doesn't wait for this.
      void reload(revalidate)
    }
    // Until then the saved moves lie over the data, also over a newer place from another tab.
    const reload = async (revalidate: () => Promise<boolean>) => {
      clearTimeout(retry.current)
      if (await revalidate()) markIncluded()
      else if (saved.current.length) retry.current = setTimeout(() => void reload(current.current.revalidate), retryMs)
    }
    return { change, remove, save }
  }, [showToast])

  const move = useCallback(
    (next: Move) => {
      const key = nextKey.current++
      latest.current = current.current.apply(latest.current, next)
      setPending((all) => [...all, { key, move: next }])
      enqueueMutation(async (signal) => {
        const question = await current.current.findQuestion?.(next, signal)
        if (question) change(key, { question })
        else await save(key, next, signal)
      })
    },
    [change, save],
  )

  const asked = pending.find(({ question }) => question !== undefined)
  const question = asked && {
    key: asked.key,
    text: asked.question!,
    accept() {
      change(asked.key, { question: undefined })
      enqueueMutation((signal) => save(asked.key, asked.move, signal))
    },
    refuse: () => remove(asked.key),
  }
  return { state, latest, move, question: question ?? null }
}

const failureToast = (text: string, { status }: MoveResponse): ToastMessage => ({
  tone: 'error',
  title: 'Error',
  text,
  ...(status === 401 ? { link: signInInNewTab } : {}),
})

async function send({ method, path, body }: MoveRequest, signal: AbortSignal): Promise<MoveResponse> {
  try {
    const response = await fetch(path, {
      signal,
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { ok, status } = response
    const isClientError = status >= 400 && status < 500
    const { message = '' }: { message?: string } = isClientError ? await response.json() : {}
    return { ok, status, message }
  } catch {
    return { ok: false, status: 0, message: '' }
  }
}
