"""The pages in a real browser: figures there, nothing on the console, wide and narrow, light and dark."""

import os
import shutil
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

from noregret.cli.app import run

DRIVER, BROWSER = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("google-chrome")
EXPECTED = {  # how the captions of figures begin that must be there
    "run.html": {"Mistakes so far", "Regret in mistakes", "Scores", "The largest of"},
    "auto.html": {
        "Mistakes so far",
        "Regret in mistakes",
        "Regret in expected mistakes",
        "Scores",
        "How much each",
    },
    "duel.html": {"Mistakes so far", "Regret in mistakes"},
    "spambase.html": {
        "Mistakes so far",
        "Regret in mistakes",
        "Regret in hinge loss",
        "Scores",
        "The largest of",
    },
    "opera.html": {
        "Mean loss so far",
        "Regret",
        "What Polynomial potential bounds",
        "How much each expert counted",
    },
    "separable.html": {"Mistakes so far", "Regret in mistakes", "The proof in a picture"},
}
DATA = Path(os.environ.get("NOREGRET_DATA", ""))
pytestmark = pytest.mark.skipif(
    DRIVER is None or BROWSER is None,
    reason="there is no Chromium with its driver here to open the pages with",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    folder = tmp_path_factory.mktemp("browser")
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
                     "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}"):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def opened(browser, page, width, scheme):
    """Open a page as a reader with such a screen and such a taste would; give what it said on the console."""
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    taste = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", taste)
    browser.get(page.as_uri())
    WebDriverWait(browser, 60).until(lambda b: b.find_element("tag name", "body").get_attribute("data-drawn"))
    return browser.get_log("browser")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    commands = {
        "run.html": ["run", "-l", "perceptron", "-l", "winnow"],
        "auto.html": ["run"],
        "duel.html": ["duel", "soa", "tree", "--class", "thresholds:63"],
    }
    rows = [f"{y:+d} 1:{y * (1 + k % 3)} 2:{k % 5} 3:1" for k in range(60) for y in (-1, 1)]
    (folder / "separable.svm").write_text("\n".join(rows) + "\n", encoding="utf-8")
    commands["separable.html"] = ["run", str(folder / "separable.svm"), "-l", "perceptron"]
    if (DATA / "spambase.libsvm").exists():
        commands["spambase.html"] = ["run", str(DATA / "spambase.libsvm"), "-l", "pa1"]
        commands["opera.html"] = ["experts", str(joined_opera(folder)), "--target", "load", "--rule", "mlpol"]
    for name, command in commands.items():
        assert run([*command, "--report", str(folder / name), "--quiet"]) == 0
    return {name: folder / name for name in commands}


def joined_opera(folder):
    """The forecasts and the load in one table."""
    experts = (DATA / "opera_experts.csv").read_text(encoding="utf-8").splitlines()
    targets = (DATA / "opera_targets.csv").read_text(encoding="utf-8").splitlines()
    rows = [f"{a},{b.split(',')[-1]}" for a, b in zip(experts[1:], targets[1:], strict=True)]
    path = folder / "opera.csv"
    path.write_text("\n".join([f"{experts[0]},load", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    "name", ["run.html", "auto.html", "duel.html", "separable.html", "spambase.html", "opera.html"]
)
def test_figures_are_there_and_the_console_is_silent(browser, pages, name, width, scheme):
    if name not in pages:
        pytest.skip("NOREGRET_DATA is not set to the folder of the data")
    assert opened(browser, pages[name], width, scheme) == []
    figures = browser.find_elements("css selector", ".chart svg.marks")
    drawn = browser.find_element("tag name", "body").get_attribute("data-drawn")
    assert len(figures) == int(drawn) >= 1
    for figure in figures:
        assert 100 < figure.size["width"] <= width
        assert len(figure.find_elements("css selector", "[class*=mark-]")) >= 3
    captions = [one.text for one in browser.find_elements("css selector", "figcaption")]
    assert len(captions) == len(figures)
    assert {
        expected for expected in EXPECTED[name] if any(one.startswith(expected) for one in captions)
    } == EXPECTED[name]
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
