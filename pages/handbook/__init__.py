"""The reference: what models, learners, measures and terms are, out of their declarations (`contents`), each an `Entry`
of plain data; `html` writes them for a browser.
"""
