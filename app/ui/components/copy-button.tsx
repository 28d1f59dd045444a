import { Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

/** Appears once scripts have loaded: it can't work without them. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [state, setState] = useState<'hidden' | 'ready' | 'copied'>('hidden')
  useEffect(() => {
    if ('clipboard' in navigator) setState('ready')
  }, [])
  if (state === 'hidden') return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setState('copied')
  }
  return (
    <Button icon={Copy} onClick={() => void copy()}>
      {state === 'copied' ? 'Copied' : label}
    </Button>
  )
}
