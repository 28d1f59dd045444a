/** The first or last day of a period, in a filter form. */
export const DayFilter = ({ label, name, value }: { label: string; name: string; value: string | null }) => (
  <label className="grid gap-1.5">
    <span className="text-sm text-ink-3">{label}</span>
    <input key={value} type="date" name={name} defaultValue={value ?? ''} className="input input-quiet" />
  </label>
)
