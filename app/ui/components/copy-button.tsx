import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** Appears once scripts have loaded: it can't work without them. */
export function CopyButton({ text, label = 'Copy', size }: { text: string; label?: string; size?: 'sm' }) {
  const [canCopy, setCanCopy] = useState(false)
  const [copied, setCopied] = useState<{ text: string; isDone: boolean }>()
  useEffect(() => setCanCopy('clipboard' in navigator), [])
  if (!canCopy) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied({ text, isDone: true }),
      () => setCopied({ text, isDone: false }),
    )
  // The text may have changed since.
  const state = copied?.text === text ? (copied.isDone ? 'Copied' : 'Not copied') : undefined
  return (
    <Button icon={Copy} {...(size ? { size } : {})} onClick={() => void copy()}>
      {state ?? label}
    </Button>
  )
}
