"""The reference in a browser: searched as one types, led to by question marks, read on a narrow screen."""

import re
import string
from urllib.parse import urlsplit

from playwright.sync_api import expect

from pages.handbook.contents import count


def test_it_is_searched_by_keyboard_and_an_address_leads_to_an_entry(server, page, settle, axe, narrow):
    page.goto(f"{server}/reference?q=stochastic+dc")
    settle(page)
    field, said = page.get_by_role("searchbox", name="Search the reference"), page.locator(".lab-find [role=status]")
    expect(said).to_contain_text(f" of {count()} entries.")
    found = page.locator(".lab-reference article:visible").count()
    expect(said).to_have_text(f"{found} of {count()} entries.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first stop leads to the field
    expect(field).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("Delete")
    expect(said).to_have_text(f"{count()} entries.")
    page.keyboard.type("stochastic dc")
    entry = page.locator("#learner-sdcp")
    expect(page.locator(".lab-reference article:visible").first).to_have_attribute("id", "learner-sdcp")
    expect(page.locator("#learner-bslm")).to_be_hidden()
    assert urlsplit(page.url).query == "q=stochastic+dc"
    expect(said).to_have_text(f"{found} of {count()} entries.")
    page.keyboard.press("Enter")
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()
    field.fill("nosuchthing")
    expect(said).to_contain_text(f"0 of {count()} entries. Try fewer words")
    for search in ("cite", "How to cite", "citation", "bibtex"):  # a section, by its name and by other words for it
        field.fill(search)
        expect(page.locator("#cite-project")).to_be_visible()
        expect(page.locator("#learner-cd")).to_be_hidden()
    field.fill("privacy")
    expect(page.locator("#upload-class")).to_be_visible()
    page.goto(f"{server}/reference?entry=sdcp-k_prime")
    expect(page.locator("#sdcp-k_prime")).to_be_focused()
    expect(page.locator("#sdcp-k_prime")).to_be_in_viewport(ratio=1)
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Glossary").click()
    expect(page.locator("#glossary")).to_be_focused()
    assert urlsplit(page.url).query == "entry=glossary"
    page.go_back()
    expect(page.locator("#sdcp-k_prime")).to_be_focused()
    settle(page)
    assert not axe(page)
    narrow(page)


def test_any_sign_is_searched_for_as_it_stands(server, page, settle):
    thrown = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.goto(f"{server}/reference?q=log-likelihood")
    settle(page)
    field, shown = page.get_by_role("searchbox", name="Search the reference"), "#learner-sdcp:visible"
    said = page.locator(".lab-find [role=status]")
    expect(page.locator(shown)).to_be_visible()
    asked = "new URL(location.href).searchParams.get('q')"  # which follows what was found
    for sign in (*string.punctuation, "⁂", "†", "𝄞", "→", "ﬁ", "é", "\u2011", "🧮"):
        for search in (sign, sign * 2, f"s{sign}dcp", f"{sign}dcp", f"({sign}", f"[{sign}", f"\\{sign}", f"cd{sign}"):
            field.fill(search)
            assert page.evaluate(asked) == search
    for sign in "()[]$^.*+?|/":
        field.fill(f"nosuchthing{sign}")
        expect(said).to_have_text(re.compile("^0 of "))
    for search in ("S-DCP", "s-dc", "Log-Likelihood s-dcp", "S-DCP dc", "-dcp"):
        field.fill(search)
        expect(page.locator(shown)).to_be_visible()
    for search in ("-DCPx", "s.dcp", "og-likelihood s-dcp"):
        field.fill(search)
        expect(page.locator(shown)).to_have_count(0)
    field.fill("s-dcp")
    page.keyboard.press("Enter")
    expect(page.locator("#learner-sdcp")).to_be_focused()
    assert not thrown
