import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge } from '#app/ui/components/badge.tsx'
import { Check } from '#app/ui/components/icons.tsx'

// Static mock-ups of the product for the public pages.

export function ExampleTask({ done = false, children }: { done?: boolean; children: string }) {
  return (
    <li className={`flex items-center gap-2.5 ${done ? 'text-ink-3 line-through' : ''}`}>
      <span
        className={`grid size-[1.0625rem] shrink-0 place-items-center rounded-xs border-[1.5px] ${
          done ? 'border-brand-edge bg-brand-solid text-on-brand' : 'border-line-strong bg-surface'
        }`}
      >
        {done && <Check className="i !size-3 !stroke-3" />}
      </span>
      {children}
    </li>
  )
}

export function ExampleSession({
  time,
  title,
  client,
  status,
}: {
  time: string
  title: string
  client: string
  status: 'Completed' | 'Confirmed'
}) {
  return (
    <li className="flex items-center gap-3 px-5 py-3">
      <span className="num w-16 text-sm text-ink-3">{time}</span>
      <span className="max-sm:hidden">
        <Avatar name={client} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{title}</span>
        <span className="block truncate text-sm text-ink-3">{client}</span>
      </span>
      <Badge tone={status === 'Completed' ? 'success' : 'info'}>{status}</Badge>
    </li>
  )
}
