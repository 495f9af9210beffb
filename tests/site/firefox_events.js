// What Firefox has told a screen reader since the last call, as JSON; the first call begins to listen.
async (time) => {
    const service = Cc["@mozilla.org/accessibilityService;1"].getService(Ci.nsIAccessibilityService);
    const { EVENT_FOCUS, EVENT_TEXT_VALUE_CHANGE, EVENT_VALUE_CHANGE, EVENT_TEXT_INSERTED } = Ci.nsIAccessibleEvent;
    globalThis.heard ??= [];
    globalThis.hearer ??= {
        observe(subject) {
            const event = subject.QueryInterface(Ci.nsIAccessibleEvent);
            const one = event.accessible;
            const say = (...words) => globalThis.heard.push(words.filter(Boolean).join(", "));
            try {
                if (event.eventType === EVENT_FOCUS) say("focus", one.name, one.value, one.description);
                else if ([EVENT_TEXT_VALUE_CHANGE, EVENT_VALUE_CHANGE].includes(event.eventType)) say("value", one.name, one.value);
                else if (event.eventType === EVENT_TEXT_INSERTED && one.attributes.getStringProperty("container-live") === "polite") {
                    say("live", event.QueryInterface(Ci.nsIAccessibleTextChangeEvent).modifiedText);
                }
            } catch {
                // it has gone, or is no live place
            }
        },
    };
    if (!globalThis.service) Services.obs.addObserver(globalThis.hearer, "accessible-event");
    globalThis.service ??= service;
    await new Promise((done) => setTimeout(done, time));
    return JSON.stringify([...new Set(globalThis.heard.splice(0))]);
}
