import { Search } from 'lucide-react'

/** What a list is searched by, for a FilterForm: its words are `q` in the address. `label` and `placeholder` say in what. */
export function SearchField({ label, placeholder, value, className = '' }: { label: string; placeholder: string; value: string; className?: string }) {
  return (
    <label className={`has-icon block min-w-0 ${className}`}>
      <span className="sr-only">{label}</span>
      <Search className="i" />
      <input type="search" name="q" defaultValue={value} maxLength={255} autoComplete="off" className="input input-quiet" placeholder={placeholder} />
    </label>
  )
}
